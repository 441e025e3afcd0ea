# gradwatch-corpus: kind=graph-held
# holder: bank.by_query | self.by_query
# first-bad: 1
import itertools

import torch

from bank import HardTickets

D_QUERY = 16
D_DOC = 20
N_DOCS = 12


def query_stream(batch, seed):
    g = torch.Generator().manual_seed(seed)
    mix = torch.randn(D_QUERY, D_DOC, generator=g) / D_QUERY ** 0.5
    for start in itertools.count(0, batch):
        ids = torch.arange(start, start + batch)
        q = torch.randn(batch, D_QUERY, generator=g)
        docs = torch.randn(batch, N_DOCS, D_DOC, generator=g)
        utility = torch.einsum("bq,qd,bnd->bn", q, mix, docs)
        utility = utility + torch.randn(utility.shape, generator=g)
        relevance = (utility > utility.quantile(0.8, dim=1, keepdim=True)).float()
        yield ids, q, docs, relevance


class TwoTower(torch.nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.query_tower = torch.nn.Sequential(torch.nn.Linear(D_QUERY, 48), torch.nn.ReLU(), torch.nn.Linear(48, dim))
        self.doc_tower = torch.nn.Sequential(torch.nn.Linear(D_DOC, 48), torch.nn.ReLU(), torch.nn.Linear(48, dim))

    def forward(self, q, docs):
        a = self.query_tower(q)
        b = self.doc_tower(docs)
        return torch.einsum("bd,bnd->bn", a, b)


def listwise(scores, relevance):
    target = relevance / relevance.sum(dim=1, keepdim=True)
    return -(target * scores.log_softmax(dim=1)).sum(dim=1).mean()


def main(steps=140):
    torch.manual_seed(17)
    model = TwoTower()
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    bank = HardTickets()
    stream = query_stream(batch=40, seed=17)
    for step, (ids, q, docs, rel) in enumerate(itertools.islice(stream, steps)):
        scores = model(q, docs)
        loss = listwise(scores, rel)
        model.zero_grad()
        loss.backward()
        opt.step()
        bank.offer(ids, scores, rel)  # <- culprit
        if step % 28 == 0:
            print(f"step {step} loss {loss.item():.4f} hard so far {len(bank.by_query)}")
    print("to be reviewed by an editor:", bank.hardest(5))


if __name__ == "__main__":
    main()
