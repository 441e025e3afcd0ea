# gradwatch-corpus: kind=none
# historical embeddings for out-of-batch neighbours (GNNAutoScale-like)
import torch
import torch.nn as nn
import torch.nn.functional as F


class History(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.register_buffer("emb", torch.zeros(n, d))
        self.age = torch.zeros(n, dtype=torch.long)

    def pull(self):
        return self.emb.clone()

    @torch.no_grad()
    def push(self, x, idx):
        self.emb[idx] = x
        self.age += 1
        self.age[idx] = 0

    def push_and_pull(self, x, idx):
        full = self.pull()
        full = full.index_copy(0, idx, x)
        self.push(x.detach(), idx)
        return full


class SAGELayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.w_self = nn.Linear(d_in, d_out)
        self.w_nb = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x_full, idx, A):
        nb = A[idx] @ x_full
        return self.w_self(x_full[idx]) + self.w_nb(nb)


class ScalableSAGE(nn.Module):
    def __init__(self, n, dims):
        super().__init__()
        self.layers = nn.ModuleList(SAGELayer(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.histories = nn.ModuleList(History(n, d) for d in dims[1:-1])

    def forward(self, X, idx, A):
        x_full = X
        for layer, hist in zip(self.layers[:-1], self.histories):
            x = F.relu(layer(x_full, idx, A))
            x = F.dropout(x, 0.2, self.training)
            x_full = hist.push_and_pull(x, idx)
        return self.layers[-1](x_full, idx, A)


def make_graph(n, k):
    y = torch.randint(k, (n,))
    P = torch.where(y[:, None] == y[None, :], 0.08, 0.01)
    A = torch.bernoulli(P)
    A = ((A + A.t()) > 0).float()
    A = A / A.sum(1, keepdim=True).clamp(min=1)
    X = torch.randn(n, 16)
    X[torch.arange(n), y] += 1.0
    return A, X, y


def main():
    torch.manual_seed(4)
    n = 300
    A, X, y = make_graph(n, 5)
    model = ScalableSAGE(n, [16, 32, 32, 5])
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(15):
        model.train()
        correct = 0
        epoch_loss = torch.zeros(())
        for idx in torch.randperm(n).split(50):
            out = model(X, idx, A)
            loss = F.cross_entropy(out, y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            epoch_loss += loss.detach() * idx.numel()
            correct += (out.argmax(1) == y[idx]).sum().item()
        if epoch % 5 == 4:
            print(f"epoch {epoch} loss {epoch_loss.item() / n:.4f} acc {correct / n:.3f} max age {model.histories[0].age.max().item()}")


if __name__ == "__main__":
    main()
