import torch


def non_iid_shards(n_clients, classes=4, dim=8, per=120):
    centers = torch.randn(classes, dim) * 1.5

    def draw(n, probs):
        y = torch.multinomial(probs, n, replacement=True)
        return centers[y] + torch.randn(n, dim), y

    shards = []
    for _ in range(n_clients):
        skew = torch.distributions.Dirichlet(torch.full((classes,), 0.4)).sample()
        shards.append(draw(per, skew + 1e-3))
    return shards, draw(400, torch.ones(classes))
