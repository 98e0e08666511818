"""Multi-head attention, rotary positions and grouped queries as PyTorch computes them, saved as .npy.

Made with PyTorch 1.13.0 and numpy 1.24.2 (Debian 12: python3-torch, python3-numpy), on the CPU, by
    /usr/bin/python3 tests/golden/make_heads.py
The files are committed, so neither the build nor the tests need this script. Multi-head attention is
PyTorch's own nn.MultiheadAttention; the rotation is a product of complex numbers, as in the code that
Llama's weights were published with.
"""

import pathlib

import numpy
import torch

FOLDER = pathlib.Path(__file__).resolve().parent / "heads"


def save(name, tensor):
    FOLDER.mkdir(exist_ok=True)
    numpy.save(FOLDER / f"{name}.npy", numpy.ascontiguousarray(tensor.detach().numpy()))


def normal(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def save_multi_head():
    n, d_model, n_heads = 5, 12, 3
    layer = torch.nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True).double()
    X = normal(n, d_model)
    W_q, W_k, W_v = layer.in_proj_weight.chunk(3)  # each (d_out, d_in), as all of PyTorch's
    arrays = {"X": X, "W_q": W_q.T, "W_k": W_k.T, "W_v": W_v.T, "W_o": layer.out_proj.weight.T}
    for name, tensor in arrays.items():
        save(name, tensor)
    mask = torch.rand(n, n) < 0.6
    mask[:, 1] = True  # no blocked row: PyTorch 1.13 makes NaN of one
    save("mask", mask)
    for name, allowed in [("none", None), ("causal", torch.ones(n, n).tril().bool()), ("masked", mask)]:
        blocked = None if allowed is None else ~allowed
        output, weights = layer(X[None], X[None], X[None], attn_mask=blocked, average_attn_weights=False)
        save(f"{name}_output", output[0])
        save(f"{name}_weights", weights[0])


def save_rotary():
    n, d = 7, 10
    X, positions = normal(n, d), torch.tensor([0.0, 1, 2, 3, 40, 500, 6000], dtype=torch.float64)
    omega = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    turns = torch.polar(torch.ones(n, d // 2, dtype=torch.float64), positions[:, None] * omega)
    rotated = torch.view_as_real(torch.view_as_complex(X.reshape(n, d // 2, 2)) * turns)
    save("rotary_X", X)
    save("rotary_positions", positions)
    save("rotary", rotated.reshape(n, d))


def save_grouped():
    n_queries, n_keys, n_heads, n_kv_heads, d_k, d_v = 5, 7, 6, 2, 4, 3
    Q, K = normal(n_queries, n_heads * d_k), normal(n_keys, n_kv_heads * d_k)
    V = normal(n_keys, n_kv_heads * d_v)

    def heads(matrix, d):
        return matrix.reshape(matrix.shape[0], -1, d).transpose(0, 1)

    group = n_heads // n_kv_heads
    q = heads(Q, d_k)
    k = heads(K, d_k).repeat_interleave(group, dim=0)
    v = heads(V, d_v).repeat_interleave(group, dim=0)
    output = torch.softmax(q @ k.transpose(1, 2) / d_k**0.5, dim=-1) @ v
    for name, tensor in {"Q": Q, "K": K, "V": V, "output": output.transpose(0, 1).reshape(n_queries, -1)}.items():
        save(f"grouped_{name}", tensor)


if __name__ == "__main__":
    torch.manual_seed(2019)
    save_multi_head()
    save_rotary()
    save_grouped()
