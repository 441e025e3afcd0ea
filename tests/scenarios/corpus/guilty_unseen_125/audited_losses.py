# gradwatch-corpus: kind=graph-held
# holder: wrapper.calls | contrastive.calls | align.calls | calls
# first-bad: 1
# notice: 8
"""Two-view contrastive learning of molecule fingerprints with audited loss functions."""
import functools
import torch
import torch.nn.functional as F

torch.set_num_threads(1)


def audited(fn):
    calls = []

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        out = fn(*args, **kwargs)
        calls.append({"fn": fn.__name__, "n": args[0].shape[0], "out": out})  # <- culprit
        return out

    wrapper.calls = calls
    return wrapper


@audited
def contrastive(a, b, tau=0.2):
    a, b = F.normalize(a, dim=-1), F.normalize(b, dim=-1)
    logits = a @ b.T / tau
    tgt = torch.arange(a.shape[0])
    return 0.5 * (F.cross_entropy(logits, tgt) + F.cross_entropy(logits.T, tgt))


def drop_bits(fp, p=0.15):
    return fp * (torch.rand_like(fp) > p).float()


def build(bits, dim):
    return torch.nn.ModuleDict(
        {"enc": torch.nn.Linear(bits, 20), "proj": torch.nn.Linear(20, dim)}
    )


def embed(m, fp):
    return m["proj"](F.relu(m["enc"](fp)))


def main():
    torch.manual_seed(77)
    m = build(40, 8)
    opt = torch.optim.Adam(m.parameters(), lr=3e-3)
    library = (torch.rand(120, 40) > 0.7).float()
    for epoch in range(40):
        order = torch.randperm(120)
        for chunk in order.split(20):
            fp = library[chunk]
            loss = contrastive(embed(m, drop_bits(fp)), embed(m, drop_bits(fp)))
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 10 == 9:
            tail = contrastive.calls[-6:]
            print(epoch, sum(c["out"].item() for c in tail) / len(tail))


if __name__ == "__main__":
    main()
