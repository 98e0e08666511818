#!/usr/bin/env python3
"""Attention of ours beside PyTorch's and ONNX Runtime's, on the same shapes in one run.

    ./course bench --quick          # builds the program that this runs
    /usr/bin/python3 common/bench/peers/peers.py [--onnxruntime FOLDER] [--n 512 2048 4096] …

Nothing here is needed to build or test the course. PyTorch is Debian's python3-torch. ONNX Runtime comes
from npm, with its library in the package: `npm install --ignore-scripts onnxruntime-node` in FOLDER. A peer
that is not there is left out. Each is measured between two measurements of ours, whose mean it is divided by.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")


def ours(program, n, arguments):
    """Median milliseconds of the streaming forward: {"full": …, "causal": …}."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "bench.json")
        finished = subprocess.run(
            [program, "--n", str(n), "--d", str(arguments.d), "--threads", str(arguments.threads),
             "--filter", "streaming/forward", "--out", out],
            stdout=subprocess.DEVNULL)
        if finished.returncode != 0:
            sys.exit(f"peers: {program} failed")
        with open(out, encoding="utf-8") as file:
            runs = json.load(file)["benchmarks"]
    return {kind: next(run["real_time"] for run in runs
                       if run.get("aggregate_name") == "median" and f"/{kind}/" in run["name"])
            for kind in ("full", "causal")}


def onnxruntime(n, heads, arguments):
    finished = subprocess.run(
        ["node", os.path.join(HERE, "onnxruntime_attention.mjs"),
         os.path.abspath(arguments.onnxruntime), str(n), str(arguments.d), str(heads),
         str(arguments.threads), str(arguments.seconds)],
        stdout=subprocess.PIPE, text=True)
    if finished.returncode != 0:
        sys.exit("peers: ONNX Runtime failed")
    return json.loads(finished.stdout.splitlines()[-1])


def pytorch(n, heads, arguments):
    import torch
    torch.set_num_threads(arguments.threads)
    Q, K, V = (torch.randn(1, heads, n, arguments.d) for _ in range(3))
    blocked = torch.full((n, n), float("-inf")).triu(1)
    fused = getattr(torch.nn.functional, "scaled_dot_product_attention", None)

    def attention(is_causal):
        if fused is not None:  # from 2.0 on
            return fused(Q, K, V, is_causal=is_causal)
        scores = Q @ K.transpose(-1, -2) * arguments.d ** -0.5
        return torch.softmax(scores + blocked if is_causal else scores, -1) @ V

    def median(is_causal):
        times = []
        with torch.no_grad():
            attention(is_causal)
            start = time.perf_counter()
            while len(times) < 3 or time.perf_counter() - start < arguments.seconds:
                before = time.perf_counter()
                attention(is_causal)
                times.append(1000 * (time.perf_counter() - before))
        return statistics.median(times)

    return {"full": median(False), "causal": median(True)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, nargs="+", default=[512, 2048, 4096], help="at most 4096")
    parser.add_argument("--d", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each peer and size")
    parser.add_argument("--onnxruntime", metavar="FOLDER", help="where npm installed onnxruntime-node")
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "bench"))
    arguments = parser.parse_args()
    if not os.access(arguments.program, os.X_OK):
        sys.exit(f"peers: {arguments.program} is not built: run ./course bench --quick")
    peers = {}
    try:
        import torch
        peers[f"PyTorch {torch.__version__}"] = pytorch
    except ImportError:
        print("no PyTorch: python3-torch is not installed for this python")
    if arguments.onnxruntime:
        with open(os.path.join(arguments.onnxruntime, "node_modules", "onnxruntime-node",
                               "package.json"), encoding="utf-8") as file:
            peers["ONNX Runtime " + json.load(file)["version"]] = onnxruntime
    else:
        print("no ONNX Runtime: --onnxruntime says where it is")
    if not peers:
        sys.exit("peers: none of them is here")

    heads = 8
    print(f"fp32, {heads} heads, d {arguments.d}, {arguments.threads} threads, medians in ms")
    print(f"{'':>6} {'':<24} {'full':>28}   {'causal':>28}")
    print(f"{'n':>6} {'peer':<24} {'peer':>9} {'ours':>9} {'ratio':>8}   {'peer':>9} {'ours':>9} {'ratio':>8}")
    for n in arguments.n:
        for name, measure in peers.items():
            before = ours(arguments.program, n, arguments)
            peer = measure(n, heads, arguments)
            after = ours(arguments.program, n, arguments)
            line = f"{n:>6} {name:<24}"
            for kind in ("full", "causal"):
                mine = (before[kind] + after[kind]) / 2
                line += f" {peer[kind]:>9.2f} {mine:>9.2f} {peer[kind] / mine:>8.2f}  "
            print(line, flush=True)


if __name__ == "__main__":
    main()
