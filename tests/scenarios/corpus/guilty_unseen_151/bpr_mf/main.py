# gradwatch-corpus: kind=graph-chain
# holder: total_loss
# first-bad: 1
import numpy as np
import torch

from model import BPRMF
from train import fit


def load_ratings(users=80, items=120, seed=11):
    rng = np.random.default_rng(seed)
    uf, vf = rng.standard_normal((users, 4)), rng.standard_normal((items, 4))
    score = uf @ vf.T + rng.standard_normal((users, items))
    top = np.argsort(-score, axis=1)[:, :15]
    return [list(map(int, row)) for row in top]


def hit_rate(model, positives, k=10):
    with torch.no_grad():
        top = (model.user.weight @ model.item.weight.t()).topk(k).indices.tolist()
    return sum(len(set(t) & set(p)) for t, p in zip(top, positives)) / (k * len(positives))


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(11)
    positives = load_ratings()
    model = BPRMF(len(positives), 120, 16)
    for epoch, mean in enumerate(fit(model, positives, epochs=2, steps=50, batch_size=64)):
        print(f"epoch {epoch}: bpr {mean:.4f} HR@10 {hit_rate(model, positives):.3f}")
