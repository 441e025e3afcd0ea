# gradwatch-corpus: kind=none
"""Which training rows move a loan score? Train, then solve Hessian systems by conjugate gradients."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(33)


class Scorecard(nn.Module):
    def __init__(self, columns=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(columns, 10), nn.Softplus(), nn.Linear(10, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def flat(parts):
    return torch.cat([p.reshape(-1) for p in parts])


class HessianProduct:
    """Keeps the gradient's graph for as long as products are asked for."""

    def __init__(self, loss, params, damping=0.05):
        self.params, self.damping = list(params), damping
        self.gradient = flat(torch.autograd.grad(loss, self.params, create_graph=True))

    def __call__(self, vector):
        product = torch.autograd.grad(self.gradient, self.params, vector, retain_graph=True)
        return flat(product) + self.damping * vector


def conjugate_gradients(product, b, rounds=15, tol=1e-6):
    x = torch.zeros_like(b)
    r, p = b.clone(), b.clone()
    rr = r @ r
    for _ in range(rounds):
        hp = product(p)
        alpha = rr / (p @ hp)
        x = x + alpha * p
        r = r - alpha * hp
        following = r @ r
        if following < tol:
            break
        p = r + (following / rr) * p
        rr = following
    return x


def fit(model, x, y, steps=90):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for step in range(steps):
        loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def influence(model, x, y, query_x, query_y):
    params = list(model.parameters())
    product = HessianProduct(nn.functional.binary_cross_entropy_with_logits(model(x), y), params)
    query = nn.functional.binary_cross_entropy_with_logits(model(query_x), query_y)
    direction = conjugate_gradients(product, flat(torch.autograd.grad(query, params)))
    losses = nn.functional.binary_cross_entropy_with_logits(model(x), y, reduction="none")
    scores = []
    for i in range(len(x)):
        row = flat(torch.autograd.grad(losses[i], params, retain_graph=i + 1 < len(x)))
        scores.append(-(row @ direction).item())
    return torch.tensor(scores)


def main():
    x = torch.randn(48, 8)
    y = torch.bernoulli(torch.sigmoid(1.5 * x[:, 0] - x[:, 2]))
    model = Scorecard()
    print(f"fitted, loss {fit(model, x, y):.4f}")
    for query in range(5):
        scores = influence(model, x, y, x[query:query + 1], y[query:query + 1])
        top = scores.abs().topk(3).indices.tolist()
        print(f"query {query}: rows {top}, own influence {scores[query].item():.3f}")


if __name__ == "__main__":
    main()
