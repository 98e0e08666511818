"""The project's own model of lesson 12 in PyTorch: tokens of a text, and the logits after each, as .npy.

Made with PyTorch 1.13 and numpy 1.24 (Debian 12: python3-torch, python3-numpy), on the CPU, by
    /usr/bin/python3 tests/golden/make_llama.py
once ./course run 12 -- --train has made a new model. Rotations are products of complex numbers, keys are
repeated for their groups, and attention is masked: nothing here follows how the C++ does it.
"""

import pathlib
import struct

import numpy
import torch
from torch.nn.functional import silu

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = b' One morning Anna had lost her old key. "Where is the key?" she asked Tom.'


def read_pieces(data):
    at, pieces = 4, []
    while at < len(data):
        length = struct.unpack_from("<i", data, at + 4)[0]
        pieces.append(data[at + 8 : at + 8 + length])
        at += 8 + length
    return pieces


def norm(x, gain):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * gain


data = (ROOT / "lessons/12_published_model/stories.bin").read_bytes()
dim, hidden, n_layers, n_heads, n_kv_heads, n_tokens, context = struct.unpack_from("<7i", data)
numbers = torch.from_numpy(numpy.frombuffer(data, "<f4", offset=28).astype("f8"))
d = dim // n_heads


def take(*shape):
    global numbers
    n = int(numpy.prod(shape))
    taken, numbers = numbers[:n].reshape(shape), numbers[n:]
    return taken


table = take(n_tokens, dim)
attention_gain = take(n_layers, dim)
W_q = take(n_layers, n_heads * d, dim)
W_k, W_v = take(n_layers, n_kv_heads * d, dim), take(n_layers, n_kv_heads * d, dim)
W_o, mlp_gain = take(n_layers, dim, n_heads * d), take(n_layers, dim)
W_gate, W_down, W_up = take(n_layers, hidden, dim), take(n_layers, dim, hidden), take(n_layers, hidden, dim)
last_gain = take(dim)

pieces = read_pieces((ROOT / "lessons/12_published_model/pieces.bin").read_bytes())
parts = [bytes([byte]) for byte in TEXT]  # a lower token was learned earlier
while True:
    pairs = [(pieces.index(a + b), i) for i, (a, b) in enumerate(zip(parts, parts[1:])) if a + b in pieces]
    if not pairs:
        break
    i = min(pairs)[1]
    parts[i : i + 2] = [parts[i] + parts[i + 1]]
tokens = [1] + [pieces.index(part) for part in parts]

n = len(tokens)
angles = torch.arange(n)[:, None] * 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.double) / d)
turn = torch.polar(torch.ones_like(angles), angles)[:, None]  # (n, 1, d / 2)


def heads(y, W, rotates):
    y = (y @ W.T).reshape(n, -1, d)
    if rotates:
        y = torch.view_as_real(torch.view_as_complex(y.reshape(n, -1, d // 2, 2)) * turn).reshape(n, -1, d)
    return y.repeat_interleave(n_heads // y.shape[1], 1).transpose(0, 1)


x = table[tokens]
blocked = torch.ones(n, n).triu(1).bool()
for i in range(n_layers):
    y = norm(x, attention_gain[i])
    Q, K, V = heads(y, W_q[i], True), heads(y, W_k[i], True), heads(y, W_v[i], False)
    weights = (Q @ K.transpose(1, 2) / d**0.5).masked_fill(blocked, float("-inf")).softmax(-1)
    x = x + (weights @ V).transpose(0, 1).reshape(n, dim) @ W_o[i].T
    y = norm(x, mlp_gain[i])
    x = x + (silu(y @ W_gate[i].T) * (y @ W_up[i].T)) @ W_down[i].T
logits = norm(x, last_gain) @ table.T

folder = ROOT / "tests/golden/llama"
folder.mkdir(exist_ok=True)
numpy.save(folder / "tokens.npy", numpy.array(tokens, "f8"))
numpy.save(folder / "logits.npy", logits.numpy())
