"""Causal attention of one head over a whole text as PyTorch computes it, saved as .npy.

Made with PyTorch 1.13.0 and numpy 1.24.2 (Debian 12: python3-torch, python3-numpy), on the CPU, by
    /usr/bin/python3 tests/golden/make_cache.py
The files are committed, so neither the build nor the tests need this script.
"""

import math
import pathlib

import numpy
import torch

FOLDER = pathlib.Path(__file__).resolve().parent / "cache"


def save(name, tensor):
    FOLDER.mkdir(exist_ok=True)
    numpy.save(FOLDER / f"{name}.npy", numpy.ascontiguousarray(tensor.numpy()))


if __name__ == "__main__":
    torch.manual_seed(11)
    n, d_k, d_v = 7, 5, 3
    Q, K, V = (torch.randn(n, d, dtype=torch.float64) for d in (d_k, d_k, d_v))
    blocked = torch.ones(n, n).triu(1).bool()
    weights = torch.softmax((Q @ K.T / math.sqrt(d_k)).masked_fill(blocked, -math.inf), dim=-1)
    for name, tensor in {"Q": Q, "K": K, "V": V, "causal": weights @ V}.items():
        save(name, tensor)
