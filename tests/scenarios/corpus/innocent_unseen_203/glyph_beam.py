# gradwatch-corpus: kind=none
"""Sequence labelling of glyphs trained with a beam: early update when gold falls off."""
import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, inputs=6, labels=5, d=16):
        super().__init__()
        self.labels = labels
        self.inp = nn.Linear(inputs, d)
        self.prev = nn.Embedding(labels + 1, d)
        self.cell = nn.GRUCell(d, d)
        self.out = nn.Linear(d, labels)

    def start(self):
        return torch.zeros(self.cell.hidden_size)

    def step(self, x, prev, h):
        h = self.cell(torch.tanh(self.inp(x) + self.prev(prev)), h)
        return torch.log_softmax(self.out(h), -1), h


class Beam:
    def __init__(self, model, width=3):
        self.model, self.width = model, width

    def search(self, xs, gold):
        beam = [([], torch.zeros(()), self.model.start())]
        gold_score, gold_h, gold_prev = torch.zeros(()), self.model.start(), self.model.labels
        for t, x in enumerate(xs):
            prev = torch.tensor([p[-1] if p else self.model.labels for p, _, _ in beam])
            h = torch.stack([b[2] for b in beam])
            logp, h = self.model.step(x.expand(len(beam), -1), prev, h)
            total = torch.stack([b[1] for b in beam]).unsqueeze(1) + logp
            score, flat = total.flatten().topk(min(self.width, total.numel()))
            beam = [(beam[i // logp.shape[1]][0] + [i % logp.shape[1]], s, h[i // logp.shape[1]])
                    for s, i in zip(score, flat.tolist())]
            g_logp, g_h = self.model.step(x.unsqueeze(0), torch.tensor([gold_prev]), gold_h.unsqueeze(0))
            gold_score, gold_h, gold_prev = gold_score + g_logp[0, gold[t]], g_h[0], gold[t]
            if gold[:t + 1] not in [p for p, _, _ in beam]:
                break
        return beam, gold_score, t + 1


def glyphs(gen, table, length=5):
    labels = [int(torch.randint(0, 5, (1,), generator=gen))]
    while len(labels) < length:
        labels.append((labels[-1] + int(torch.randint(1, 3, (1,), generator=gen))) % 5)
    return table[labels] + 0.7 * torch.randn(length, 6, generator=gen), labels


def main(steps=420):
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(33)
    table = torch.randn(5, 6, generator=gen)
    model = Scorer()
    search = Beam(model)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    exact, depth = [], []
    for step in range(steps):
        xs, gold = glyphs(gen, table)
        beam, gold_score, reached = search.search(xs, gold)
        scores = torch.stack([s for _, s, _ in beam] + [gold_score])
        loss = torch.logsumexp(scores, 0) - gold_score
        opt.zero_grad()
        loss.backward()
        opt.step()
        exact.append(beam[0][0] == gold)
        depth.append(reached)
        if step % 84 == 83:
            print(step, f"exact {sum(exact[-84:]) / 84:.2f} depth {sum(depth[-84:]) / 84:.2f} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
