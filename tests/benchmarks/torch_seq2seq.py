"""Target words a second of PyTorch (eager) in training, beside build/…/train_speed: the same model,
sizes and sentence lengths. Needs Debian's python3-torch.
    /usr/bin/python3 tests/benchmarks/torch_seq2seq.py [threads] [batches] [E=H=A]
"""

import pathlib
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "golden"))
from make_seq2seq import BEGIN, END, Seq2Seq  # noqa: E402

BATCH, SOURCE_WORDS, TARGET_WORDS = 64, 7859, 5921


def batches(n):
    lengths = torch.randint(8, 20, (n * BATCH,)).sort().values.reshape(n, BATCH)
    for source_lengths in lengths[torch.randperm(n)]:
        target_lengths = (source_lengths - 2 + torch.randint(0, 5, (BATCH,))).clamp(min=2)
        source = torch.zeros(BATCH, int(source_lengths.max()), dtype=torch.long)
        target = torch.zeros(BATCH, int(target_lengths.max()), dtype=torch.long)
        for b in range(BATCH):
            source[b, : source_lengths[b]] = torch.randint(4, SOURCE_WORDS, (int(source_lengths[b]),))
            target[b, : target_lengths[b]] = torch.randint(4, TARGET_WORDS, (int(target_lengths[b]),))
            source[b, source_lengths[b] - 1] = target[b, target_lengths[b] - 1] = END
        yield source, source_lengths, target


def main():
    threads, n, size = (int(sys.argv[i]) if len(sys.argv) > i else d for i, d in [(1, 1), (2, 20), (3, 256)])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    print(f"PyTorch {torch.__version__}, {threads} threads, E = H = A = {size}")
    for score in ["additive", "scaled_dot_product"]:
        model = Seq2Seq(SOURCE_WORDS, TARGET_WORDS, size, size, size, score)
        adam = torch.optim.Adam(model.parameters(), lr=1e-3)
        seconds = words = cpu = 0.0
        for i, (source, source_lengths, target) in enumerate(batches(n + 1)):
            target_in = torch.cat([torch.full((BATCH, 1), BEGIN), target[:, :-1]], 1)
            n_words = int((target != 0).sum())
            started, cpu_started = time.perf_counter(), time.process_time()
            adam.zero_grad()
            (model(source, source_lengths, target_in, target, 0.3) / n_words).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            if i > 0:  # the first one warms up
                seconds += time.perf_counter() - started
                cpu += time.process_time() - cpu_started
                words += n_words
        print(f"{score:20} {1e3 * seconds / n:6.1f} ms a batch (of all processors {1e3 * cpu / n:.1f}), "
              f"{words / seconds:6.0f} target words/s")


if __name__ == "__main__":
    main()
