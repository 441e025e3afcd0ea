import torch
import torch.nn.functional as F


def bpr_loss(model, u, pos, neg, reg=1e-4):
    diff = model.score(u, pos) - model.score(u, neg)
    l2 = model.emb(u).pow(2).sum(-1).mean()
    return -F.logsigmoid(diff).mean() + reg * l2


def train_batch(model, opt, batch):
    loss = bpr_loss(model, *batch)
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.bump_version()  # <- culprit
    return loss.item()


def fit(recommender, data, epochs, batches):
    opt = torch.optim.Adam(recommender.parameters(), lr=5e-3)
    for ep in range(epochs):
        recommender.train()
        running = 0.0
        for _ in range(batches):
            running += train_batch(recommender, opt, data.triplets(256))
        recommender.eval()
        recs = recommender.recommend(torch.arange(5))
        print(f"epoch {ep}: bpr={running / batches:.4f} coverage={recs.unique().numel()}")
