# gradwatch-corpus: kind=none
"""Link prediction; entity descriptions are encoded once per update and memoised."""
import torch
from torch import nn

torch.manual_seed(12)
torch.set_num_threads(1)


class MemoEncoder(nn.Module):
    def __init__(self, descriptions, width):
        super().__init__()
        self.descriptions = descriptions
        self.rnn = nn.GRU(6, width, batch_first=True)
        self._memo = {}
        self.hits = self.misses = 0

    def forward(self, entity):
        if entity not in self._memo:
            self.misses += 1
            _, h = self.rnn(self.descriptions[entity][None])
            self._memo[entity] = h[0, 0]
        else:
            self.hits += 1
        return self._memo[entity]

    def forget(self, *_):
        self._memo = {}


class LinkModel(nn.Module):
    def __init__(self, descriptions, n_rel, width=12):
        super().__init__()
        self.encoder = MemoEncoder(descriptions, width)
        self.rel = nn.Embedding(n_rel, width)

    def score(self, h, r, t):
        return (self.encoder(h) * self.rel(torch.tensor(r)) * self.encoder(t)).sum()


def main():
    descriptions = [torch.randn(int(n), 6) for n in torch.randint(3, 7, (15,))]
    triples = [(i, (i + j) % 3, (i * 2 + j) % 15) for i in range(15) for j in range(3)]
    model = LinkModel(descriptions, 3)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    opt.register_step_post_hook(model.encoder.forget)
    step = 0
    for epoch in range(12):
        order = torch.randperm(len(triples)).tolist()
        for begin in range(0, len(order), 5):
            losses = []
            for i in order[begin:begin + 5]:
                h, r, t = triples[i]
                wrong = int(torch.randint(0, 15, (1,)))
                losses.append(nn.functional.softplus(model.score(h, r, wrong) - model.score(h, r, t)))
            loss = torch.stack(losses).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
        if epoch % 4 == 3:
            print(epoch, step, f"{loss.item():.4f}", model.encoder.hits, model.encoder.misses)


main()
