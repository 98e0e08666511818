"""Saves what PyTorch computes, as .npy files beside this script; the C++ tests read them.

Made with PyTorch 1.13.0 and numpy 1.24.2 (Debian 12: python3-torch, python3-numpy), on the CPU, by
    /usr/bin/python3 tests/golden/make_goldens.py
The files are committed, so neither the build nor the tests need this script. A later PyTorch may
differ in the last digit.
"""

import pathlib

import numpy
import torch

FOLDER = pathlib.Path(__file__).resolve().parent


def save(name, tensor):
    path = FOLDER / f"{name}.npy"
    path.parent.mkdir(exist_ok=True)
    numpy.save(path, numpy.ascontiguousarray(tensor.numpy()))


def normal(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def save_projections():
    n, d_model, d_k, d_v = 5, 7, 3, 4
    X = normal(n, d_model)
    W_q, W_k, W_v = normal(d_model, d_k), normal(d_model, d_k), normal(d_model, d_v)
    inputs = {"X": X, "W_q": W_q, "W_k": W_k, "W_v": W_v}
    outputs = {"Q": X @ W_q, "K": X @ W_k, "V": X @ W_v}
    for name, tensor in {**inputs, **outputs}.items():
        save(f"projections/{name}", tensor)


def save_scores():
    n_queries, n_keys, d_k = 6, 11, 13
    Q, K = normal(n_queries, d_k), normal(n_keys, d_k)
    for suffix, dtype in [("", torch.float64), ("_float", torch.float32)]:
        q, k = Q.to(dtype), K.to(dtype)
        save(f"scores/Q{suffix}", q)
        save(f"scores/K{suffix}", k)
        save(f"scores/raw{suffix}", q @ k.T)
        save(f"scores/scaled{suffix}", q @ k.T / d_k**0.5)


def save_softmax():
    n_queries, n_keys = 6, 11
    scores = 3 * normal(n_queries, n_keys)
    large = normal(8, 5)
    large[0] += 1e4
    large[1] -= 1e4
    large[2] *= 1e4
    large[3] = torch.tensor([10.0, 0.0, 0.0, 0.0, 0.0])
    large[4] = torch.tensor([1e4, -1e4, 0.0, 1e4, 9999.0])
    large[5] = torch.tensor([-745.0, 0.0, -700.0, -100.0, -36.0])
    for suffix, dtype, huge in [("", torch.float64, 1e308), ("_float", torch.float32, 3e38)]:
        s, l = scores.to(dtype), large.to(dtype)
        l[6] = torch.tensor([huge, -huge, 0.0, huge, 1.0], dtype=dtype)
        l[7] = -huge
        save(f"softmax/scores{suffix}", s)
        save(f"softmax/rows{suffix}", torch.softmax(s, dim=1))
        save(f"softmax/large_scores{suffix}", l)
        save(f"softmax/large_rows{suffix}", torch.softmax(l, dim=1))

    s = 2 * normal(7)
    save("softmax/vector_scores", s)
    save("softmax/vector", torch.softmax(s, dim=0))
    jacobian = torch.autograd.functional.jacobian(lambda x: torch.softmax(x, dim=0), s)
    save("softmax/jacobian", jacobian)


def save_masked_softmax():
    n_queries, n_keys = 7, 11
    scores = 3 * normal(n_queries, n_keys)
    mask = torch.rand(n_queries, n_keys) < 0.6
    mask[:, 4] = True  # no blocked row: PyTorch 1.13 makes NaN of one
    save("masks/mask", mask)
    for suffix, dtype in [("", torch.float64), ("_float", torch.float32)]:
        s = scores.to(dtype)
        masked = s.masked_fill(~mask, -torch.inf)
        save(f"masks/scores{suffix}", s)
        save(f"masks/masked{suffix}", masked)
        save(f"masks/softmax{suffix}", torch.softmax(masked, dim=1))


def attention(Q, K, V, allowed=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


def save_attention():
    # Five sizes, all different: (batch, n_queries, n_keys, d_k, d_v).
    batch, n_queries, n_keys, d_k, d_v = 2, 5, 7, 64, 32
    Q, K = normal(batch, n_queries, d_k), normal(batch, n_keys, d_k)
    V = normal(batch, n_keys, d_v)

    def random_mask(*shape):
        mask = torch.rand(*shape) < 0.6
        mask[..., 0] = True
        return mask

    masks = {
        "mask_2d": random_mask(n_queries, n_keys),
        "mask_1qk": random_mask(1, n_queries, n_keys),
        "mask_bqk": random_mask(batch, n_queries, n_keys),
        "padding": (torch.arange(n_keys) < torch.tensor([[4], [7]]))[:, None, :],
    }
    for name, mask in masks.items():
        save(f"attention/{name}", mask)
    causal = torch.ones(n_queries, n_keys).tril().bool()
    # keeps the random numbers that come after as they are
    normal(batch, n_queries, n_keys)
    random_mask(batch, n_queries, n_keys)

    for suffix, dtype in [("", torch.float64), ("_float", torch.float32)]:
        q, k, v = Q.to(dtype), K.to(dtype), V.to(dtype)
        cases = {
            "none": attention(q, k, v),
            "causal": attention(q, k, v, causal),
            "causal_padding": attention(q, k, v, causal & masks["padding"]),
            **{name: attention(q, k, v, mask) for name, mask in masks.items()},
        }
        for name, tensor in {"Q": q, "K": k, "V": v}.items():
            save(f"attention/{name}{suffix}", tensor)
        for name, (output, weights) in cases.items():
            save(f"attention/{name}_output{suffix}", output)
            save(f"attention/{name}_weights{suffix}", weights)


def save_gradients():
    """Lesson 08's ways back, by PyTorch's autograd; and some steps of gradient descent."""

    def inputs(**tensors):
        for name, tensor in tensors.items():
            save(f"gradients/{name}", tensor)
        return [tensor.clone().requires_grad_() for tensor in tensors.values()]

    scores, d_weights = 2 * normal(5, 7), normal(5, 7)
    scores.requires_grad_()
    weights = torch.softmax(scores, dim=1)
    weights.backward(d_weights)
    save("gradients/weights", weights.detach())
    save("gradients/d_weights", d_weights)
    save("gradients/d_scores", scores.grad)

    A, B = inputs(A=normal(4, 3), B=normal(3, 6))
    d_C = normal(4, 6)
    (A @ B).backward(d_C)
    save("gradients/d_C", d_C)
    save("gradients/d_A", A.grad)
    save("gradients/d_B", B.grad)
    (B_rows,) = inputs(B_rows=B.detach().T.clone())
    (A.detach() @ B_rows.T).backward(d_C)
    save("gradients/d_B_rows", B_rows.grad)

    n_queries, n_keys, d_k, d_v = 5, 7, 3, 4
    Q, K, V = inputs(Q=normal(n_queries, d_k), K=normal(n_keys, d_k), V=normal(n_keys, d_v))
    mask = torch.rand(n_queries, n_keys) < 0.6
    mask[:, 2] = True  # no blocked query: PyTorch 1.13 makes NaN of one
    mask[:, 5] = False  # a key that nobody sees
    d_output = normal(n_queries, d_v)
    output, weights = attention(Q, K, V, mask)
    output.backward(d_output)
    save("gradients/mask", mask)
    save("gradients/attention_weights", weights.detach())
    save("gradients/d_output", d_output)
    for name, tensor in {"d_Q": Q.grad, "d_K": K.grad, "d_V": V.grad}.items():
        save(f"gradients/{name}", tensor)

    n_queries, n_keys, d_model, d_k, d_v = 3, 5, 4, 2, 6
    asked, entries = normal(n_queries, d_model), normal(n_keys, d_model)
    wanted = normal(n_queries, d_v)
    for name, tensor in {"asked": asked, "entries": entries, "wanted": wanted}.items():
        save(f"gradients/{name}", tensor)
    W = inputs(W_q=normal(d_model, d_k), W_k=normal(d_model, d_k), W_v=normal(d_model, d_v))
    optimiser = torch.optim.SGD(W, lr=0.05)
    losses = []
    for _ in range(20):
        optimiser.zero_grad()
        output, _ = attention(asked @ W[0], entries @ W[1], entries @ W[2])
        loss = ((output - wanted) ** 2).sum() / (2 * n_queries)
        loss.backward()
        losses.append(loss.detach())
        optimiser.step()
    save("gradients/losses", torch.stack(losses))
    for name, tensor in zip(["W_q", "W_k", "W_v"], W):
        save(f"gradients/learned_{name}", tensor.detach())


if __name__ == "__main__":
    torch.manual_seed(2017)
    save_projections()
    save_scores()
    save_softmax()
    save_masked_softmax()
    save_attention()
    save_gradients()
