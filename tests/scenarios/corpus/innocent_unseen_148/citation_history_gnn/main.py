# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from graphs import sbm, clusters
from layers import HistoryGCN

torch.set_num_threads(1)


def main(epochs=14, parts=8):
    torch.manual_seed(95)
    x, y, adj = sbm(240, 4)
    train = torch.rand(len(y)) < 0.5
    model = HistoryGCN(len(y), x.size(1), 24, 4)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    for epoch in range(epochs):
        total = 0.0
        for ids in clusters(len(y), parts):
            logits = model(x, adj, ids)
            use = train[ids]
            loss = F.cross_entropy(logits[use], y[ids][use]) + 0.1 * model.consistency()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.detach()
        if epoch % 4 == 3:
            acc = (model.inference(x, adj).argmax(1) == y)[~train].float().mean().item()
            print(f"epoch {epoch + 1} loss {total.item() / parts:.4f} test acc {acc:.3f}")


if __name__ == "__main__":
    main()
