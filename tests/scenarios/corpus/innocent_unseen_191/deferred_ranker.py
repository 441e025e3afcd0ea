# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F


class Ranker(nn.Module):
    def __init__(self, users=200, items=300, dim=16):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.mix = nn.Linear(dim, dim)

    def forward(self, u, i):
        return (self.mix(self.user(u)) * self.item(i)).sum(-1)


class SessionAccumulator:
    """Losses of impressions are attributed only when the session closes."""

    def __init__(self):
        self.terms = {}

    def add(self, session, term):
        self.terms.setdefault(session, []).append(term)

    def close(self, session):
        terms = self.terms.pop(session)
        return torch.stack(terms).logsumexp(0) - torch.tensor(float(len(terms))).log()


def events(gen):
    session = 0
    while True:
        length = int(torch.randint(8, 38, (1,), generator=gen))
        user = torch.randint(200, (1,), generator=gen)
        for k in range(length):
            good = (user * 7 + torch.randint(5, (8,), generator=gen)) % 300
            bad = torch.randint(300, (8,), generator=gen)
            yield session, user.expand(8), good, bad, k == length - 1
        session += 1


def main(impressions=9500):
    torch.manual_seed(12)
    model = Ranker()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    acc = SessionAccumulator()
    shown = 0
    for n, (session, u, good, bad, last) in enumerate(events(torch.Generator().manual_seed(13))):
        if n == impressions:
            break
        margin = model(u, good) - model(u, bad)
        acc.add(session, F.softplus(-margin).mean())
        if not last:
            continue
        loss = acc.close(session)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        shown += 1
        if shown % 50 == 0:
            print(f"session {session} loss {loss.item():.4f} open {len(acc.terms)}")


if __name__ == "__main__":
    main()
