"""The Transformer of common/language in PyTorch: its parts and the whole, saved as .npy.

Made with PyTorch 1.13.0 and numpy 1.24.2 (Debian 12: python3-torch, python3-numpy), on the CPU, by
    /usr/bin/python3 tests/golden/make_language.py
The files are committed, so neither the build nor the tests need this script. The model is written with
PyTorch's own LayerNorm, GELU, MultiheadAttention and Linear: nothing here follows how the C++ does it.
"""

import pathlib

import numpy
import torch
from torch import nn
from torch.nn.functional import cross_entropy

FOLDER = pathlib.Path(__file__).resolve().parent / "language"


class Block(nn.Module):
    def __init__(self, d, n_heads):
        super().__init__()
        self.attention_norm = nn.LayerNorm(d)
        self.attention = nn.MultiheadAttention(d, n_heads, bias=False, batch_first=True)
        self.mlp_norm = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x, blocked):
        """x (n_texts, n, d)"""
        y = self.attention_norm(x)
        x = x + self.attention(y, y, y, attn_mask=blocked, need_weights=False)[0]
        return x + self.mlp(self.mlp_norm(x))


class Transformer(nn.Module):
    """As nanoGPT's small setting: learned positions, norms in front, the output tied to the characters."""

    def __init__(self, n_characters, context, d, n_heads, n_layers):
        super().__init__()
        self.characters = nn.Embedding(n_characters, d)
        self.positions = nn.Embedding(context, d)
        self.blocks = nn.ModuleList([Block(d, n_heads) for _ in range(n_layers)])
        self.norm = nn.LayerNorm(d)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                residual = name.endswith("out_proj.weight") or name.endswith("mlp.2.weight")
                nn.init.normal_(parameter, 0, 0.02 / (2 * n_layers) ** 0.5 if residual else 0.02)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids):
        """ids (n_texts, n) -> logits (n_texts, n, n_characters)"""
        n = ids.shape[1]
        x = self.characters(ids) + self.positions(torch.arange(n))
        blocked = torch.ones(n, n, dtype=torch.bool).triu(1)
        for block in self.blocks:
            x = block(x, blocked)
        return self.norm(x) @ self.characters.weight.T


def named_block(block, of):
    """The C++ block's weights: of(parameter) under its names, in its layout."""
    q, k, v = (of(block.attention.in_proj_weight)).chunk(3)
    return {
        "attention_gain": of(block.attention_norm.weight),
        "attention_bias": of(block.attention_norm.bias),
        "W_q": q.T, "W_k": k.T, "W_v": v.T,
        "W_o": of(block.attention.out_proj.weight).T,
        "mlp_gain": of(block.mlp_norm.weight), "mlp_bias": of(block.mlp_norm.bias),
        "W_in": of(block.mlp[0].weight).T, "b_in": of(block.mlp[0].bias),
        "W_out": of(block.mlp[2].weight).T, "b_out": of(block.mlp[2].bias),
    }  # fmt: skip


def named(model, of):
    arrays = {"characters": of(model.characters.weight), "positions": of(model.positions.weight)}
    for i, block in enumerate(model.blocks):
        for name, array in named_block(block, of).items():
            arrays[f"block_{i}.{name}"] = array
    arrays["gain"], arrays["bias"] = of(model.norm.weight), of(model.norm.bias)
    return arrays


def save(name, array):
    path = FOLDER / f"{name}.npy"
    path.parent.mkdir(parents=True, exist_ok=True)
    numpy.save(path, numpy.ascontiguousarray(array))


def joined(arrays):
    """One vector of all of them, in their order."""
    return torch.cat([array.reshape(-1) for array in arrays.values()])


def unlike_the_start(model):
    """Gains other than 1 and biases other than 0: else a wrong use of them would not show."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter += 0.3 * torch.randn_like(parameter)
            else:
                parameter *= 5


def save_operations():
    torch.manual_seed(1)
    X = torch.randn(5, 12, requires_grad=True)
    d_Y = torch.randn(5, 12)
    norm = nn.LayerNorm(12)
    unlike_the_start(norm)
    cases = {"layer_norm": (norm, X), "gelu": (nn.GELU(), X)}
    for name, (function, argument) in cases.items():
        argument.grad = None
        Y = function(argument)
        Y.backward(d_Y)
        save(f"{name}/Y", Y.detach())
        save(f"{name}/d_X", argument.grad)
    save("X", X.detach())
    save("d_Y", d_Y)
    for name in ["weight", "bias"]:
        parameter = getattr(norm, name)
        save(f"layer_norm/{'gain' if name == 'weight' else name}", parameter.detach())
        save(f"layer_norm/d_{'gain' if name == 'weight' else name}", parameter.grad)


def save_block():
    torch.manual_seed(2)
    n_texts, n, d, n_heads = 3, 5, 12, 3
    block = Block(d, n_heads)
    with torch.no_grad():
        for parameter in block.parameters():
            parameter += 0.3 * torch.randn_like(parameter)
    X = torch.randn(n_texts, n, d, requires_grad=True)
    d_Y = torch.randn(n_texts, n, d)
    Y = block(X, torch.ones(n, n, dtype=torch.bool).triu(1))
    Y.backward(d_Y)
    for name, array in {"X": X, "Y": Y, "d_Y": d_Y, "d_X": X.grad}.items():
        save(f"block/{name}", array.detach().reshape(n_texts * n, d))
    save("block/weights", joined(named_block(block, lambda parameter: parameter.detach())))
    save("block/gradients", joined(named_block(block, lambda parameter: parameter.grad)))


def save_model():
    torch.manual_seed(3)
    model = Transformer(n_characters=11, context=8, d=12, n_heads=3, n_layers=2)
    unlike_the_start(model)
    ids = torch.randint(0, 11, (3, 8))  # each a text and the character after it
    logits = model(ids[:, :-1])
    loss = cross_entropy(logits.reshape(-1, 11), ids[:, 1:].reshape(-1), reduction="sum")
    loss.backward()
    save("model/ids", ids.double())
    save("model/logits", logits.detach().reshape(-1, 11))
    save("model/loss", loss.detach().reshape(1))
    save("model/weights", joined(named(model, lambda parameter: parameter.detach())))
    save("model/gradients", joined(named(model, lambda parameter: parameter.grad)))


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    save_operations()
    save_block()
    save_model()
