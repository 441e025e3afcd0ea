import torch
import torch.nn.functional as F


class Recommender:
    def __init__(self, model, lr, reg):
        self.model, self.reg = model, reg
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def fit_epoch(self, batches):
        self.model.train()
        total, n = 0.0, 0
        for u, i, j in batches:
            loss = -F.logsigmoid(self.model(u, i) - self.model(u, j)).mean()
            loss = loss + self.reg * self.model.emb.weight[u].pow(2).sum(-1).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total, n = total + loss.item(), n + 1
        return total / n

    @torch.no_grad()
    def recall(self, graph, k=20):
        self.model.eval()
        z = self.model.final_embeddings()
        top = (z[: graph.n_users] @ z[graph.n_users:].t()).topk(k, 1).indices
        hit = (top[:, :, None] == graph.pos[:, None, :]).any(1).float()
        return hit.mean().item()
