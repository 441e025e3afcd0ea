# gradwatch-corpus: kind=graph-chain
# holder: h | state
# first-bad: 1
"""Online next-character prediction: one character per update, Elman RNN."""
import math
import time

import torch
import torch.nn.functional as F

TEXT = (
    "the quick brown fox jumps over the lazy dog while the slow green turtle "
    "walks under the bridge and the grey heron waits for fish at the river "
)
chars = sorted(set(TEXT))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in TEXT])
V, E, H = len(chars), 12, 32


def init_params(seed):
    g = torch.Generator().manual_seed(seed)

    def mat(*shape):
        w = torch.randn(*shape, generator=g) / math.sqrt(shape[-1])
        return w.requires_grad_()

    return {
        "emb": mat(V, E),
        "w_in": mat(H, E),
        "w_rec": mat(H, H),
        "b": torch.zeros(H, requires_grad=True),
        "w_out": mat(V, H),
        "b_out": torch.zeros(V, requires_grad=True),
    }


def rnn_step(params, token, h):
    x = params["emb"][token]
    pre = F.linear(x, params["w_in"], params["b"]) + F.linear(h, params["w_rec"])
    h = torch.tanh(pre)
    logits = F.linear(h, params["w_out"], params["b_out"])
    return logits, h


def clip_(params, max_norm):
    total = math.sqrt(sum(float(p.grad.pow(2).sum()) for p in params.values()))
    scale = min(1.0, max_norm / (total + 1e-6))
    for p in params.values():
        p.grad.mul_(scale)
    return total


def train(n_steps=420, lr=0.05, max_norm=1.0):
    params = init_params(3)
    h = torch.zeros(1, H)
    bits, started = 0.0, time.time()
    for t in range(n_steps):
        cur = ids[t % len(ids)].view(1)
        nxt = ids[(t + 1) % len(ids)].view(1)
        logits, h = rnn_step(params, cur, h)  # <- culprit
        loss = F.cross_entropy(logits, nxt)

        for p in params.values():
            p.grad = None
        loss.backward(retain_graph=True)
        norm = clip_(params, max_norm)
        for p in params.values():
            p.data.add_(p.grad, alpha=-lr)

        bits += loss.item() / math.log(2)
        if (t + 1) % 70 == 0:
            print(f"t={t + 1} bpc={bits / 70:.3f} |g|={norm:.2f} {time.time() - started:.1f}s")
            bits = 0.0
    return params


if __name__ == "__main__":
    train()
