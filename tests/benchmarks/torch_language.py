"""Lesson 11's training in PyTorch (eager), beside build/…/language_speed on the same text: the model of
tests/golden/make_language.py, nanoGPT's small CPU setting, 12 texts of 64 characters a step.
Needs Debian's python3-torch.
    /usr/bin/python3 tests/benchmarks/torch_language.py TEXT build/…/language_speed [rounds] [steps]
times steps of both in turn, so that both meet the same machine, and prints medians and their ratio.
    /usr/bin/python3 tests/benchmarks/torch_language.py TEXT
trains 2,000 steps, and prints the validation loss over all of the text's last tenth.
"""

import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import torch
from torch.nn.functional import cross_entropy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "golden"))
from make_language import Transformer  # noqa: E402

CONTEXT, TEXTS, STEPS, WARM_UP = 64, 12, 2000, 100
RATE, LAST_RATE = 2e-3, 1e-4


class Training:
    def __init__(self, path):
        text = pathlib.Path(path).read_text(encoding="utf-8")
        characters = sorted(set(text))
        ids = torch.tensor([characters.index(c) for c in text])
        middle = len(ids) * 9 // 10
        self.train, self.valid = ids[:middle], ids[middle:]
        self.model = Transformer(len(characters), CONTEXT, 128, 4, 4)
        groups = [
            {"params": [p for p in self.model.parameters() if p.dim() == 2], "weight_decay": 0.1},
            {"params": [p for p in self.model.parameters() if p.dim() == 1], "weight_decay": 0.0},
        ]
        self.adam = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.99))
        self.steps = 0

    def rate(self):
        if self.steps < WARM_UP:
            return RATE * (self.steps + 1) / (WARM_UP + 1)
        done = (self.steps - WARM_UP) / (STEPS - WARM_UP)
        return LAST_RATE + 0.5 * (1 + math.cos(math.pi * min(1, done))) * (RATE - LAST_RATE)

    def step(self):
        for group in self.adam.param_groups:
            group["lr"] = self.rate()
        starts = torch.randint(len(self.train) - CONTEXT, (TEXTS,))
        ids = torch.stack([self.train[i : i + CONTEXT + 1] for i in starts])
        logits = self.model(ids[:, :-1])
        loss = cross_entropy(logits.reshape(-1, logits.shape[-1]), ids[:, 1:].reshape(-1))
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.adam.step()
        self.steps += 1

    @torch.no_grad()
    def validation_loss(self):
        n = (len(self.valid) - 1) // CONTEXT
        ids = self.valid[: n * CONTEXT].reshape(n, CONTEXT)
        following = self.valid[1 : n * CONTEXT + 1].reshape(n, CONTEXT)
        total = 0.0
        for i in range(0, n, 32):
            logits = self.model(ids[i : i + 32])
            total += cross_entropy(
                logits.reshape(-1, logits.shape[-1]), following[i : i + 32].reshape(-1), reduction="sum"
            ).item()
        return total / (n * CONTEXT)


def milliseconds(work, n):
    """Of the clock, and of the processor, which other programs do not lengthen as much."""
    clock, processor = time.perf_counter(), time.process_time()
    for _ in range(n):
        work()
    return 1e3 * (time.perf_counter() - clock) / n, 1e3 * (time.process_time() - processor) / n


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)  # its best: two are slower
    training = Training(sys.argv[1])
    print(f"PyTorch {torch.__version__}, 1 thread; load {os.getloadavg()[0]:.1f}")
    if len(sys.argv) == 2:
        clock, processor = milliseconds(training.step, STEPS)
        print(
            f"{STEPS} steps: validation loss {training.validation_loss():.4f}, {clock:.1f} ms a step, "
            f"of the processor {processor:.1f}"
        )
        return
    rounds, steps = (int(sys.argv[i]) if len(sys.argv) > i else d for i, d in [(3, 7), (4, 40)])
    milliseconds(training.step, 5)
    threads = sorted({1, min(2, os.cpu_count() or 1)})
    theirs, ours = [], {n: [] for n in threads}
    for _ in range(rounds):
        theirs.append(milliseconds(training.step, steps))
        for n in threads:
            command = [sys.argv[2], sys.argv[1], str(n), str(steps)]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            ours[n].append([float(number) for number in re.findall(r"\d+\.\d+", text)])
    medians = [statistics.median(column) for column in zip(*theirs)]
    print(f"PyTorch, 1 thread     {medians[0]:7.1f} ms a step, of the processor {medians[1]:.1f}")
    for n in threads:
        ratios = [t[0] / o[0] for t, o in zip(theirs, ours[n])]
        # of the processor, if threads share alike: other programs matter less to it
        shares = [t[1] / (o[1] / n) for t, o in zip(theirs, ours[n])]
        medians = [statistics.median(column) for column in zip(*ours[n])]
        print(
            f"this project, {n} thread{'s' if n > 1 else ' '} {medians[0]:6.1f} ms a step, "
            f"of all processors {medians[1]:.1f}; "
            f"PyTorch takes {statistics.median(ratios):.2f} times as long "
            f"({min(ratios):.2f} to {max(ratios):.2f} in {rounds} rounds), "
            f"by processor time a thread {statistics.median(shares):.2f}"
        )
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
