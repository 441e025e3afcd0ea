# gradwatch-corpus: kind=inplace-modified
# holder: self.dec.weight | model.dec.weight
# first-bad: 0
# notice: 0
"""Item autoencoder for top-N recommendation, decoder rows kept inside the unit ball."""
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F


class AutoRec(nn.Module):
    def __init__(self, n_items, hidden=12):
        super().__init__()
        self.enc = nn.Linear(n_items, hidden)
        self.dec = nn.Linear(hidden, n_items)

    def forward(self, r):
        return self.dec(torch.tanh(self.enc(F.dropout(r, 0.3, self.training))))

    @torch.no_grad()
    def project(self):
        norms = self.dec.weight.norm(dim=1, keepdim=True).clamp(min=1.0)
        self.dec.weight.div_(norms)


def clicks(n_users=200, n_items=40, rank=3):
    p = torch.sigmoid(2.0 * torch.randn(n_users, rank) @ torch.randn(rank, n_items) - 1)
    return torch.bernoulli(p)


def objective(model, rows):
    logits = model(rows)
    nll = -(F.log_softmax(logits, 1) * rows).sum(1).mean()
    model.project()  # <- culprit
    return nll + 1e-3 * sum(w.pow(2).sum() for w in model.parameters())


def recall_at(model, rows, k=10):
    model.eval()
    with torch.no_grad():
        top = model(rows).topk(k, dim=1).indices
    model.train()
    return rows.gather(1, top).sum(1).div(rows.sum(1).clamp(1, k)).mean().item()


if __name__ == "__main__":
    torch.manual_seed(15)
    data = clicks()
    model = AutoRec(data.shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(30):
        for idx in torch.randperm(len(data)).split(20):
            loss = objective(model, data[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch} loss {loss.item():.3f} recall@10 {recall_at(model, data):.3f}")
