#!/usr/bin/env python3
"""What each idea of the streaming forward buys, by switching it off: the table in common/streaming's README.

    python3 common/bench/ideas/ideas.py [--n 2048] [--rounds 15] [--only WORDS]

For each idea common/streaming is copied, the idea edited out of the copy, and both are timed in turn; printed
is the median over all rounds of the one time divided by the other. An edit that no longer finds its place is
an error: whoever changes the kernel changes it here too.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COMMON = os.path.join(HERE, "..", "..")
KERNEL, TILE, SIMD, HEADER, CALL = (
    "forward_kernel.cpp", "score_tile.hpp", os.path.join("..", "machine", "register_tile.hpp"), "forward_kernel.hpp", "forward.cpp")
ALONE, CAUSAL, SHARED = "0 1 1", "1 1 1", "1 1 2"  # is_causal, heads, threads

# The exponential of a tile, and what stands there instead.
EXP = "exp2(Lanes<T>::load_aligned(scores + j) - reference)"
STEP = "T(0.125 * log2_e)"  # 1/√64 in units of log₂

# (number on the page, what is there instead, how it is timed, {file: [(text, its replacement), …]})
IDEAS = [
    ("1", "K packed by every block", ALONE, {KERNEL: [(
        "    const std::size_t seen = keys_seen(head, first + count);",
        "    pack_transposed_panels(head.K, head.d_k, head.n_keys, head.d_k,\n"
        "                           const_cast<T*>(packed_keys));\n"
        "    const std::size_t seen = keys_seen(head, first + count);")]}),
    ("2", "scale and log2 e for every score", ALONE, {KERNEL: [
        ("static_cast<T>(head.scale * log2_e)", "T(1)"),
        ("exp2(Lanes<T>(maximum - largest))", f"exp2(Lanes<T>((maximum - largest) * {STEP}))"),
        (EXP, f"exp2((Lanes<T>::load_aligned(scores + j) - reference) * Lanes<T>({STEP}))")]}),
    ("3", "4 rows in a register tile", ALONE, {SIMD: [("tile_rows = 8", "tile_rows = 4")]}),
    ("3", "12 rows in a register tile", ALONE, {SIMD: [("tile_rows = 8", "tile_rows = 12")], HEADER: [
        ("query_block = 128", "query_block = 144")]}),
    ("4", "the maximum in a pass of its own", ALONE, {TILE: [
        ("most[r] = larger(most[r], larger(tile.sum[r][0], tile.sum[r][1]));", ";"),
        ("    // Most tiles need no mask.",
         "    for (std::size_t r = 0; r < rows; ++r) {\n"
         "        for (std::size_t j = 0; j < padded; j += lanes<T>) {\n"
         "            most[r] = larger(most[r], Lanes<T>::load_aligned(scores + r * stride + j));\n"
         "        }\n    }\n    // Most tiles need no mask.")]}),
    ("4", "O shrunk for every tile", ALONE, {KERNEL: [
        ("    if (!xsimd::any(most > Lanes<T>(maximum))) {\n        return;\n    }\n"
         "    const T largest = largest_lane(most);",
         "    const T largest = std::max(maximum, largest_lane(most));")]}),
    ("5", "xsimd's exp2", ALONE, {KERNEL: [(EXP, "xsimd::" + EXP)]}),
    ("5", "std::exp2, number by number", ALONE, {KERNEL: [
        ("// Scores to unnormalised weights,",
         "template <class T>\nLanes<T> one_by_one(Lanes<T> x) {\n    T each[lanes<T>];\n"
         "    x.store_unaligned(each);\n    for (T& number : each) {\n        number = std::exp2(number);\n"
         "    }\n    return Lanes<T>::load_unaligned(each);\n}\n\n// Scores to unnormalised weights,"),
        (EXP, "one_by_one<T>" + EXP[len("exp2"):])]}),
    ("6", "one long sum", ALONE, {KERNEL: [
        ("        tile.template add_product<key_tile, 1>",
         "        for (std::size_t r = 0; r < rows; ++r) {\n"
         "            tile.sum[r][0] = Lanes<T>::load_aligned(output + r * block.width);\n"
         "            tile.sum[r][1] = Lanes<T>::load_aligned(output + r * block.width + lanes<T>);\n"
         "        }\n        tile.template add_product<key_tile, 1>"),
        ("tile.add_to(output, block.width)", "tile.store(output, block.width)")]}),
    ("6", "V copied to panels", ALONE, {KERNEL: [("if (head.d_v % panel<T> == 0) {", "if (false) {")]}),
    ("7", "every causal tile masked", CAUSAL, {TILE: [
        ("(mask.is_causal && keys.first + keys.count > i + 1)", "mask.is_causal")]}),
    ("7", "tiles on the diagonal whole", CAUSAL, {KERNEL: [
        ("keys_seen(head, first + row + rows)", "seen")]}),
    ("8", "lightest blocks first", SHARED, {CALL: [
        ("blocks - 1 - item % blocks", "item % blocks")]}),
    ("8", "half of the blocks for each thread", SHARED, {CALL: [
        ("parallel_for(threads, heads.size() * blocks, [&](std::size_t item, std::size_t worker) {",
         "parallel_for(threads, threads, [&](std::size_t part, std::size_t worker) {\n"
         "        const std::size_t all = heads.size() * blocks;\n"
         "        for (std::size_t item = part * all / threads; item < (part + 1) * all / threads; ++item) {"),
        ("        keys[h].done(blocks);\n", "        keys[h].done(blocks);\n        }\n")]}),
    ("size", "blocks of 64 queries", ALONE, {HEADER: [("query_block = 128", "query_block = 64")]}),
    ("size", "blocks of 256 queries", ALONE, {HEADER: [("query_block = 128", "query_block = 256")]}),
    ("size", "tiles of 128 keys", ALONE, {KERNEL: [("key_tile = 256", "key_tile = 128")]}),
    ("size", "tiles of 512 keys", ALONE, {KERNEL: [("key_tile = 256", "key_tile = 512")]}),
]


def build(folder, edits, shared=None):
    """Copies common/streaming to the folder, edits the copy and compiles it; returns the program, and what
    of it the edits of the kernel alone leave as it is."""
    for room in ("attention", "machine", "streaming"):
        shutil.copytree(os.path.join(COMMON, room), os.path.join(folder, room))
    for name, pairs in edits.items():
        path = os.path.join(folder, "streaming", name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for old, new in pairs:
            if text.count(old) != 1:
                sys.exit(f"ideas: {name} must have this once, has it {text.count(old)} times:\n{old}")
            text = text.replace(old, new)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    compiler = [os.environ.get("CXX", "c++"), "-std=c++20", "-w", "-pthread", "-I", folder]
    if shared is None or CALL in edits or HEADER in edits:
        sources = [os.path.join(HERE, "ideas.cpp")] + [os.path.join(folder, *name.split("/")) for name in (
            f"streaming/{CALL}", "streaming/in_double.cpp", "machine/parallel.cpp", "attention/random.cpp")]
        shared = os.path.join(folder, "shared.o")
        subprocess.check_call(compiler + ["-O2", "-r", "-nostdlib", "-o", shared, *sources])
    program = os.path.join(folder, "ideas")
    subprocess.check_call(compiler + ["-O3", "-march=native", "-ffp-contract=fast", "-o", program,
                                      os.path.join(folder, "streaming", KERNEL), shared])
    return program, shared


def run(program, how, arguments):
    is_causal, heads, threads = how.split()
    out = subprocess.check_output([program, str(arguments.n), is_causal, heads, threads, "0.1"], text=True)
    return [float(word) for word in out.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=2048)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="those whose name contains this")
    arguments = parser.parse_args()
    ideas = [idea for idea in IDEAS if arguments.only in idea[1]]
    with tempfile.TemporaryDirectory() as folder:
        base, shared = build(os.path.join(folder, "base"), {})
        programs = [build(os.path.join(folder, str(i)), idea[3], shared)[0] for i, idea in enumerate(ideas)]
        ratios, errors = [[] for _ in ideas], [0.0] * len(ideas)
        for _ in range(arguments.rounds):
            for i, (_, _, how, _) in enumerate(ideas):
                with_it, _ = run(base, how, arguments)
                without, errors[i] = run(programs[i], how, arguments)
                ratios[i].append(without / with_it)
        print(f"n {arguments.n}, d 64, fp32; error with all ideas {run(base, ALONE, arguments)[1]:.1e}")
        print(f"{'idea':>4} {'instead':<36} {'time':>6} {'quartiles':>15} {'error':>8}")
        for (number, name, _, _), times, error in zip(ideas, ratios, errors):
            low, middle, high = statistics.quantiles(times, n=4) if len(times) > 1 else 3 * times
            print(f"{number:>4} {name:<36} {middle:>6.3f} {low:>7.3f} {high:>7.3f} {error:>8.1e}")


if __name__ == "__main__":
    main()
