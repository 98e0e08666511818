"""The model of common/seq2seq in PyTorch: weights, a batch, loss and gradients, saved as .npy.

Made with PyTorch 1.13.0 and numpy 1.24.2 (Debian 12: python3-torch, python3-numpy), on the CPU, by
    /usr/bin/python3 tests/golden/make_seq2seq.py
The files are committed, so neither the build nor the tests need this script. The model is written with
PyTorch's own GRU, GRUCell and packed sequences: nothing here follows how the C++ does it.
tests/benchmarks/torch_seq2seq.py trains the same class, for its speed.
"""

import pathlib

import numpy
import torch
from torch import nn
from torch.nn.functional import cross_entropy, dropout
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

FOLDER = pathlib.Path(__file__).resolve().parent / "seq2seq"
PADDING, BEGIN, END = 0, 2, 3


class Seq2Seq(nn.Module):
    def __init__(self, source_words, target_words, embedding, hidden, attention, score):
        super().__init__()
        E, H, A = embedding, hidden, attention
        self.score = score
        self.source_embedding = nn.Embedding(source_words, E)
        self.encoder = nn.GRU(E, H, batch_first=True, bidirectional=True)
        self.keys = nn.Linear(2 * H, A, bias=False)
        self.states = nn.Linear(H, A, bias=False)
        self.init = nn.Linear(2 * H, H)
        self.target_embedding = nn.Embedding(target_words, E)
        self.decoder = nn.GRUCell(E + 2 * H, H)
        self.pre = nn.Linear(H + 2 * H + E, E)
        self.output = nn.Linear(E, target_words)
        if score == "additive":
            self.v = nn.Parameter(torch.randn(A) / A**0.5)

    def scores(self, s, keys):
        """s (B, H), keys (B, T_s, A) -> (B, T_s)"""
        q = self.states(s)
        if self.score == "additive":
            return torch.tanh(q[:, None] + keys) @ self.v
        factor = q.shape[1] ** -0.5 if self.score == "scaled_dot_product" else 1.0
        return torch.bmm(keys, q[:, :, None])[:, :, 0] * factor

    def forward(self, source, source_lengths, target_in, target_words, rate=0.0):
        """source (B, T_s), target_in and target_words (B, T_t), padded; the sum of the losses"""
        x = dropout(self.source_embedding(source), rate)
        packed = pack_padded_sequence(x, source_lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.encoder(packed)[0], batch_first=True)  # (B, T_s, 2H)
        mask = torch.arange(states.shape[1])[None] < source_lengths[:, None]
        keys = self.keys(states)
        s = torch.tanh(self.init(states.sum(1) / source_lengths[:, None]))
        y = dropout(self.target_embedding(target_in), rate)
        steps = []
        for t in range(target_in.shape[1]):
            weights = self.scores(s, keys).masked_fill(~mask, -torch.inf).softmax(1)
            c = torch.bmm(weights[:, None], states)[:, 0]
            s = self.decoder(torch.cat([y[:, t], c], 1), s)
            steps.append(torch.cat([s, c, y[:, t]], 1))
        pre = dropout(torch.tanh(self.pre(torch.stack(steps, 1))), rate)
        real = target_words != PADDING
        return cross_entropy(self.output(pre[real]), target_words[real], reduction="sum")


def named(model, of):
    """The C++ model's parameters: of(parameter) under its names, in its layout."""
    E = model.source_embedding.embedding_dim
    H = model.decoder.hidden_size

    def transposed(tensor):
        return of(tensor).T

    arrays = {"source_embedding": of(model.source_embedding.weight)}
    for name, suffix in [("forward", ""), ("backward", "_reverse")]:
        arrays[f"{name}_W_x"] = transposed(getattr(model.encoder, f"weight_ih_l0{suffix}"))
        arrays[f"{name}_b_x"] = of(getattr(model.encoder, f"bias_ih_l0{suffix}"))
        arrays[f"{name}_W_h"] = transposed(getattr(model.encoder, f"weight_hh_l0{suffix}"))
        arrays[f"{name}_b_h"] = of(getattr(model.encoder, f"bias_hh_l0{suffix}"))
    arrays["W_keys"] = transposed(model.keys.weight)
    arrays["W_states"] = transposed(model.states.weight)
    arrays["W_init"] = transposed(model.init.weight)
    arrays["b_init"] = of(model.init.bias)
    arrays["target_embedding"] = of(model.target_embedding.weight)
    arrays["decoder_W_x"] = transposed(model.decoder.weight_ih)[:E]
    arrays["decoder_b_x"] = of(model.decoder.bias_ih)
    arrays["decoder_W_c"] = transposed(model.decoder.weight_ih)[E:]
    arrays["decoder_W_h"] = transposed(model.decoder.weight_hh)
    arrays["decoder_b_h"] = of(model.decoder.bias_hh)
    arrays["pre_W_s"] = transposed(model.pre.weight)[:H]
    arrays["pre_W_c"] = transposed(model.pre.weight)[H : 3 * H]
    arrays["pre_W_e"] = transposed(model.pre.weight)[3 * H :]
    arrays["pre_b"] = of(model.pre.bias)
    arrays["output_W"] = transposed(model.output.weight)
    arrays["output_b"] = of(model.output.bias)
    if model.score == "additive":
        arrays["score_v"] = of(model.v)
    return arrays


def save(name, array):
    path = FOLDER / f"{name}.npy"
    path.parent.mkdir(parents=True, exist_ok=True)
    numpy.save(path, numpy.ascontiguousarray(array))


def main():
    torch.manual_seed(7)
    source_lengths = torch.tensor([6, 3, 5, 1])  # the end included
    target_lengths = torch.tensor([4, 7, 1, 5])
    source = torch.zeros(4, 6, dtype=torch.long)
    target = torch.zeros(4, 7, dtype=torch.long)
    for b in range(4):
        source[b, : source_lengths[b]] = torch.randint(4, 13, (int(source_lengths[b]),))
        target[b, : target_lengths[b]] = torch.randint(4, 17, (int(target_lengths[b]),))
        source[b, source_lengths[b] - 1] = target[b, target_lengths[b] - 1] = END
    begin = torch.full((4, 1), BEGIN)
    target_in = torch.cat([begin, target[:, :-1]], 1)
    save("source", source.double())
    save("target", target.double())

    for score in ["additive", "scaled_dot_product", "dot_product"]:
        torch.manual_seed(8)
        model = Seq2Seq(13, 17, 5, 6, 7, score)
        loss = model(source, source_lengths, target_in, target)
        loss.backward()
        save(f"{score}/loss", loss.detach().reshape(1))
        weights = named(model, lambda parameter: parameter.detach().numpy())
        gradients = named(model, lambda parameter: parameter.grad.numpy())
        # One vector of all parameters in the order of their names: two files an arm.
        for what, arrays in [("weights", weights), ("gradients", gradients)]:
            save(f"{score}/{what}", numpy.concatenate([arrays[name].ravel() for name in sorted(arrays)]))


if __name__ == "__main__":
    main()
