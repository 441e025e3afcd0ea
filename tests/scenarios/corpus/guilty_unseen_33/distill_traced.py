# gradwatch-corpus: kind=graph-held
# holder: call.trace | soft_loss.trace | feature_loss.trace | term.trace | call.trace[i] | soft_loss.trace[i] | soft_loss.trace[i][1] | feature_loss.trace[i] | feature_loss.trace[i][1]
# first-bad: 1
"""Teacher -> student distillation with soft targets and a feature hint."""
import functools
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


def traced(fn):
    """Keep wall time and result of every call, for the end-of-run report."""

    @functools.wraps(fn)
    def call(*args, **kwargs):
        t0 = time.perf_counter()
        out = fn(*args, **kwargs)
        call.trace.append((time.perf_counter() - t0, out))  # <- culprit
        return out

    call.trace = []
    return call


@traced
def soft_loss(student_logits, teacher_logits, temperature):
    s = F.log_softmax(student_logits / temperature, dim=-1)
    t = F.softmax(teacher_logits / temperature, dim=-1)
    return F.kl_div(s, t, reduction="batchmean") * temperature ** 2


@traced
def feature_loss(student_feat, teacher_feat):
    return 1.0 - F.cosine_similarity(student_feat, teacher_feat, dim=-1).mean()


class Net(nn.Module):
    def __init__(self, d_in, width, n_out, feat=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d_in, width), nn.ReLU(), nn.Linear(width, feat))
        self.head = nn.Linear(feat, n_out)

    def forward(self, x):
        f = self.body(x)
        return self.head(F.relu(f)), f


def make_data(n=512, d=24, k=6):
    w = torch.randn(d, k)
    x = torch.randn(n, d)
    return x, (x @ w + 0.5 * torch.randn(n, k)).argmax(1)


def report(*terms):
    for term in terms:
        spent = sum(t for t, _ in term.trace)
        first, last = term.trace[0][1].item(), term.trace[-1][1].item()
        print(f"{term.__name__:13s} {first:.4f} -> {last:.4f}   {1e3 * spent:.1f} ms in {len(term.trace)} calls")


def main():
    torch.manual_seed(2)
    x, y = make_data()
    teacher = Net(24, 64, 6).requires_grad_(False)
    student = Net(24, 20, 6)
    opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(5):
        for idx in torch.randperm(len(x)).split(32):
            logits, feat = student(x[idx])
            t_logits, t_feat = teacher(x[idx])
            loss = (F.cross_entropy(logits, y[idx])
                    + 0.5 * soft_loss(logits, t_logits, temperature=3.0)
                    + 0.2 * feature_loss(feat, t_feat))
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            acc = (student(x)[0].argmax(1) == y).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} acc {acc:.3f}")
    report(soft_loss, feature_loss)


if __name__ == "__main__":
    main()
