"""Lesson 12's own model: learns its pieces and its numbers from stories, and writes the lesson's two files;
then, for the tests, the tokens of a text and the logits after each, as .npy.

Made with PyTorch 1.13 and numpy 1.24 (Debian 12: python3-torch, python3-numpy), on one thread of a CPU, by
    ./course run 12 --solution -- --stories stories.txt
    /usr/bin/python3 tests/golden/make_llama.py stories.txt
which takes some minutes, and makes the committed files again to the last byte. Rotations are products of
complex numbers, keys are repeated for their groups, and attention is masked: nothing follows the C++.
"""

import collections
import functools
import math
import pathlib
import re
import struct
import sys

import numpy
import torch
from torch.nn.functional import cross_entropy, silu

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = 'One morning Anna had lost her old key. "Where is the key?" she asked Tom.'
SIZES = DIM, HIDDEN, N_LAYERS, N_HEADS, N_KV_HEADS, N_TOKENS, CONTEXT = 48, 116, 3, 4, 2, 512, 256
D, N_STEPS, N_TEXTS = DIM // N_HEADS, 4000, 3
GAINS, KV, MLP = (N_LAYERS, DIM), (N_LAYERS, N_KV_HEADS * D, DIM), (N_LAYERS, HIDDEN, DIM)
SQUARE, DOWN = (N_LAYERS, DIM, DIM), (N_LAYERS, DIM, HIDDEN)
SHAPES = [(N_TOKENS, DIM), GAINS, SQUARE, KV, KV, SQUARE, GAINS, MLP, DOWN, MLP, (DIM,)]  # as in the file


def learn_pieces(text):
    """Characters, and again and again the most frequent pair in a word, of equals the first."""
    words = collections.Counter(re.findall(" ?[^ \n]+", " " + text))
    words = {"\0" + "\0".join(word) + "\0": count for word, count in words.items()}
    characters = sorted(set(text) - {"\n"})
    pieces = ["<unk>", "\n<s>\n", "\n</s>\n"] + [f"<0x{byte:02X}>" for byte in range(256)]
    while len(pieces) + len(characters) < N_TOKENS:
        pairs = collections.Counter()
        for word, count in words.items():
            parts = word[1:-1].split("\0")
            for pair in zip(parts, parts[1:]):
                pairs[pair] += count
        left, right = min(pairs, key=lambda pair: (-pairs[pair], pair))
        pieces.append(left + right)
        both = re.compile(f"(?<=\0){re.escape(left)}\0{re.escape(right)}(?=\0)")
        words = {both.sub(left + right, word): count for word, count in words.items()}
    return pieces + characters


@functools.lru_cache(maxsize=None)
def encoded(word):
    parts = list(word)
    while True:
        pairs = [(numbers[a + b], i) for i, (a, b) in enumerate(zip(parts, parts[1:])) if a + b in numbers]
        if not pairs:
            return [token for part in parts for token in ([numbers[part]] if part in numbers else [3 + ord(part)])]
        i = min(pairs)[1]  # a lower token was learned earlier
        parts[i : i + 2] = [parts[i] + parts[i + 1]]


def encode(text):
    return [1] + [token for word in re.findall("\n| ?[^ \n]*", " " + text) for token in encoded(word)]


def norm(x, gain):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * gain


def logits_of(arrays, tokens):
    table, attention_gain, W_q, W_k, W_v, W_o, mlp_gain, W_gate, W_down, W_up, last_gain = arrays
    n = tokens.shape[-1]
    angles = torch.arange(n)[:, None] * 10000.0 ** (-torch.arange(0, D, 2, dtype=torch.double) / D)
    turn = torch.polar(torch.ones_like(angles), angles)[:, None].to(torch.view_as_complex(table[:, :2]).dtype)
    blocked = torch.ones(n, n).triu(1).bool()

    def heads(y, W, rotates):
        y = (y @ W.T).unflatten(-1, (-1, D))
        if rotates:
            y = torch.view_as_real(torch.view_as_complex(y.unflatten(-1, (-1, 2))) * turn).flatten(-2)
        return y.repeat_interleave(N_HEADS // y.shape[-2], -2).transpose(-2, -3)

    x = table[tokens]
    for i in range(N_LAYERS):
        y = norm(x, attention_gain[i])
        Q, K, V = heads(y, W_q[i], True), heads(y, W_k[i], True), heads(y, W_v[i], False)
        weights = (Q @ K.mT / D**0.5).masked_fill(blocked, float("-inf")).softmax(-1)
        x = x + (weights @ V).transpose(-2, -3).flatten(-2) @ W_o[i].T
        y = norm(x, mlp_gain[i])
        x = x + (silu(y @ W_gate[i].T) * (y @ W_up[i].T)) @ W_down[i].T
    return norm(x, last_gain) @ table.T


def train(text):
    torch.manual_seed(1)
    gains = [len(shape) == 1 or shape == GAINS for shape in SHAPES]
    arrays = [torch.ones(shape) if gain else 0.05 * torch.randn(shape) for shape, gain in zip(SHAPES, gains)]
    groups = [{"params": [a.requires_grad_() for a, g in zip(arrays, gains) if g == kind], "weight_decay": decay}
              for kind, decay in ((True, 0.0), (False, 0.1))]
    adam = torch.optim.AdamW(groups, betas=(0.9, 0.99))
    for step in range(N_STEPS):
        rate = (step + 1) / 100 if step < 100 else (1 + math.cos(math.pi * step / N_STEPS)) / 2
        for group in groups:
            group["lr"] = 2e-3 * rate
        read = torch.stack([text[at : at + CONTEXT + 1] for at in torch.randint(len(text) - CONTEXT, (N_TEXTS,))])
        loss = cross_entropy(logits_of(arrays, read[:, :-1]).transpose(1, 2), read[:, 1:])
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(arrays, 1.0)
        adam.step()
        if step % 200 == 199:
            print(step + 1, loss.item(), flush=True)
    return [array.detach() for array in arrays]


torch.set_num_threads(1)
stories = pathlib.Path(sys.argv[1]).read_text("utf-8")
pieces = learn_pieces(stories)
numbers = {piece: token for token, piece in enumerate(pieces)}
arrays = train(torch.tensor([token for story in stories.split("\n\n") if story for token in encode(story)]))

folder = ROOT / "lessons/12_published_model"
utf8 = [piece.encode() for piece in pieces]
scored = [struct.pack("<fi", min(0, 259 - token), len(piece)) + piece for token, piece in enumerate(utf8)]
(folder / "pieces.bin").write_bytes(struct.pack("<i", max(map(len, utf8))) + b"".join(scored))
written = [array.numpy().astype("<f4").tobytes() for array in arrays]
(folder / "stories.bin").write_bytes(struct.pack("<7i", *SIZES) + b"".join(written) + bytes(4 * CONTEXT * D))

tokens = encode(TEXT)
numpy.save(ROOT / "tests/golden/llama/tokens.npy", numpy.array(tokens, "f8"))
logits = logits_of([array.double() for array in arrays], torch.tensor(tokens))
numpy.save(ROOT / "tests/golden/llama/logits.npy", logits.numpy())
