# gradwatch-corpus: kind=none
# about: implicit differentiation in a hook: one graph walked many times with retain_graph, hook removed each time
"""Deep equilibrium classifier: fixed point by Anderson mixing without gradients, implicit differentiation in the backward hook."""
import torch
import torch.nn.functional as F
from torch import autograd, nn

torch.manual_seed(40)


def anderson(f, x0, m=4, rounds=18, tol=1e-3, lam=1e-4):
    n, d = x0.shape
    X, Fx = torch.zeros(n, m, d), torch.zeros(n, m, d)
    X[:, 0], Fx[:, 0] = x0, f(x0)
    X[:, 1], Fx[:, 1] = Fx[:, 0], f(Fx[:, 0])
    rhs = torch.zeros(n, m + 1, 1)
    rhs[:, 0] = 1
    H = torch.zeros(n, m + 1, m + 1)
    H[:, 0, 1:] = H[:, 1:, 0] = 1
    for k in range(2, rounds):
        w = min(k, m)
        G = Fx[:, :w] - X[:, :w]
        H[:, 1:w + 1, 1:w + 1] = G @ G.transpose(1, 2) + lam * torch.eye(w)
        alpha = torch.linalg.solve(H[:, :w + 1, :w + 1], rhs[:, :w + 1])[:, 1:w + 1, 0]
        X[:, k % m] = (alpha[:, None] @ Fx[:, :w])[:, 0]
        Fx[:, k % m] = f(X[:, k % m])
        if (Fx[:, k % m] - X[:, k % m]).norm() / (1e-5 + Fx[:, k % m].norm()) < tol:
            break
    return X[:, k % m], k + 1


class Equilibrium(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.mix, self.norm = nn.Linear(d, d), nn.LayerNorm(d)
        nn.init.orthogonal_(self.mix.weight, .6)
        self.inject = nn.Linear(d, d)
        self.handle = None
        self.depth = 0

    def f(self, z, u):
        return torch.tanh(self.norm(self.mix(z)) * .6 + u)

    def forward(self, x):
        u = self.inject(x)
        with torch.no_grad():
            star, self.depth = anderson(lambda z: self.f(z, u), torch.zeros_like(x))
        z = self.f(star, u)
        if not self.training:
            return z
        start = z.detach().requires_grad_()
        again = self.f(start, u.detach())

        def implicit(grad):
            if self.handle is not None:
                self.handle.remove()
                self.handle = None
            g, _ = anderson(lambda y: autograd.grad(again, start, y, retain_graph=True)[0] + grad, torch.zeros_like(grad), rounds=10)
            return g

        self.handle = z.register_hook(implicit)
        return z


words = nn.EmbeddingBag(400, 32)
eq, head = Equilibrium(32), nn.Linear(32, 6)
opt = torch.optim.Adam([*words.parameters(), *eq.parameters(), *head.parameters()], lr=4e-3)
topic_words = torch.randn(6, 400).mul(1.6).softmax(1)
hit = 0.
for it in range(320):
    topic = torch.randint(6, (48,))
    doc = torch.multinomial(topic_words[topic], 14, replacement=True)
    scores = head(eq(words(doc)))
    loss = F.cross_entropy(scores, topic)
    opt.zero_grad()
    loss.backward()
    opt.step()
    hit = .95 * hit + .05 * (scores.argmax(1) == topic).float().mean().item()
    if it % 40 == 0:
        print(f"it {it} loss {loss.item():.3f} running accuracy {hit:.3f} solver rounds {eq.depth}")
