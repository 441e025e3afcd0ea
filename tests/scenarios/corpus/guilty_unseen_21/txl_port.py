# gradwatch-corpus: kind=second-backward
# holder: mems | self.mems | session.mems | new_mems | sess.mems
# first-bad: 1
"""Segment-recurrent language model, ported from the TF 1 code (names kept: mems, mem_len, tgt_len, _cache_mem)."""
import random

import torch
from torch import nn
from torch.nn import functional as F


class tf:
    """The few spellings of the old code that turn up everywhere."""

    concat = staticmethod(lambda xs, axis: torch.cat(xs, dim=axis))
    stop_gradient = staticmethod(lambda x: x.detach())
    reduce_mean = staticmethod(lambda x: x.mean())


class hparams:
    d_model, n_head, d_inner, n_layer = 32, 4, 64, 2
    tgt_len, mem_len, bsz, vocab = 16, 16, 8, 40
    lr, clip, steps = 1e-3, 0.5, 300


def _cache_mem(curr_out, prev_mem, mem_len):
    if mem_len == 0:
        return None
    if prev_mem is None:
        return curr_out[:, -mem_len:]  # <- culprit
    new_mem = tf.concat([tf.stop_gradient(prev_mem), curr_out], 1)  # <- culprit
    return new_mem[:, -mem_len:]  # <- culprit


class RelBias(nn.Module):
    def __init__(self, n_head, reach):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(n_head, reach))

    def forward(self, q_len, k_len):
        offset = (torch.arange(q_len)[:, None] + (k_len - q_len)) - torch.arange(k_len)[None, :]
        bias = self.table[:, offset.clamp(0, self.table.shape[1] - 1)]
        return bias.masked_fill(offset < 0, float("-inf"))


class Layer(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.h = hp.n_head
        self.q = nn.Linear(hp.d_model, hp.d_model, bias=False)
        self.kv = nn.Linear(hp.d_model, 2 * hp.d_model, bias=False)
        self.o = nn.Linear(hp.d_model, hp.d_model, bias=False)
        self.rel = RelBias(hp.n_head, hp.tgt_len + hp.mem_len)
        self.ln1, self.ln2 = nn.LayerNorm(hp.d_model), nn.LayerNorm(hp.d_model)
        self.ff = nn.Sequential(nn.Linear(hp.d_model, hp.d_inner), nn.ReLU(), nn.Linear(hp.d_inner, hp.d_model))

    def heads(self, x):
        b, t, d = x.shape
        return x.view(b, t, self.h, d // self.h).transpose(1, 2)

    def forward(self, w, mem):
        c = w if mem is None else tf.concat([mem, w], 1)
        k, v = self.kv(c).chunk(2, -1)
        q, k, v = self.heads(self.q(w)), self.heads(k), self.heads(v)
        att = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 + self.rel(w.shape[1], c.shape[1])
        out = (att.softmax(-1) @ v).transpose(1, 2).flatten(2)
        w = self.ln1(w + self.o(out))
        return self.ln2(w + self.ff(w))


class TransformerXL(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.hp = hp
        self.lookup = nn.Embedding(hp.vocab, hp.d_model)
        self.layers = nn.ModuleList(Layer(hp) for _ in range(hp.n_layer))
        self.softmax_b = nn.Parameter(torch.zeros(hp.vocab))

    def forward(self, inp, tgt, mems):
        hidden = self.lookup(inp) * self.hp.d_model ** 0.5
        mems = mems or [None] * len(self.layers)
        new_mems = []
        for layer, mem in zip(self.layers, mems):
            new_mems.append(_cache_mem(hidden, mem, self.hp.mem_len))
            hidden = layer(hidden, mem)
        logits = hidden @ self.lookup.weight.t() + self.softmax_b
        loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), reduction="none")
        return tf.reduce_mean(loss), new_mems


def corpus(hp, rng):
    """bsz parallel streams of an order-2 toy language."""
    rows = [[rng.randrange(hp.vocab) for _ in range(2)] for _ in range(hp.bsz)]
    while True:
        for row in rows:
            while len(row) < hp.tgt_len + 1 + 2:
                nxt = (3 * row[-1] + row[-2] + 1) % hp.vocab
                row.append(nxt if rng.random() < 0.9 else rng.randrange(hp.vocab))
        block = torch.tensor([r[1:hp.tgt_len + 2] for r in rows])
        rows = [r[hp.tgt_len:] for r in rows]
        yield block[:, :-1], block[:, 1:]


class Session:
    """What tf.Session.run used to do with fetches and the mems fed back."""

    def __init__(self, model, hp):
        self.model, self.hp, self.mems = model, hp, None
        self.train_op = torch.optim.Adam(model.parameters(), lr=hp.lr)

    def run(self, feed):
        loss, self.mems = self.model(*feed, self.mems)  # <- culprit
        self.train_op.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.hp.clip)
        self.train_op.step()
        return loss.item()


def main():
    torch.manual_seed(7)
    hp = hparams()
    sess = Session(TransformerXL(hp), hp)
    feeder = corpus(hp, random.Random(7))
    for step in range(hp.steps):
        value = sess.run(next(feeder))
        if step % 50 == 0:
            print(f"step {step:4d} | loss {value:.3f}")


if __name__ == "__main__":
    main()
