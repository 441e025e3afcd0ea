# gradwatch-corpus: kind=none
"""Second-order MAML over blob-classification tasks with functional weights."""
import torch

torch.set_num_threads(1)
import torch.nn.functional as F

CONF = {"ways": 3, "dim": 5, "hidden": 16, "inner": 2, "alpha": 0.2, "meta_batch": 2, "outer": 420}


def init_weights(c):
    shapes = [(c["hidden"], c["dim"]), (c["hidden"],), (c["ways"], c["hidden"]), (c["ways"],)]
    return [(torch.randn(s) * (0.4 if len(s) == 2 else 0.0)).requires_grad_() for s in shapes]


def forward(w, x):
    return F.linear(torch.relu(F.linear(x, w[0], w[1])), w[2], w[3])


def episode(c, shots=4):
    centres = 2 * torch.randn(c["ways"], c["dim"])
    y = torch.arange(c["ways"]).repeat(shots)
    draw = lambda: centres[y] + 0.6 * torch.randn(len(y), c["dim"])
    return (draw(), y), (draw(), y)


def inner_loop(w, support, c):
    fast = w
    for _ in range(c["inner"]):
        loss = F.cross_entropy(forward(fast, support[0]), support[1])
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [p - c["alpha"] * g for p, g in zip(fast, grads)]
    return fast


class Meta:
    def __init__(self, c):
        self.c = c
        self.w = init_weights(c)
        self.opt = torch.optim.Adam(self.w, lr=3e-3)

    def outer_step(self):
        total, hits = 0.0, 0.0
        for _ in range(self.c["meta_batch"]):
            support, (xq, yq) = episode(self.c)
            logits = forward(inner_loop(self.w, support, self.c), xq)
            total = total + F.cross_entropy(logits, yq)
            hits += (logits.argmax(1) == yq).float().mean().item()
        self.opt.zero_grad()
        (total / self.c["meta_batch"]).backward()
        self.opt.step()
        return hits / self.c["meta_batch"]


if __name__ == "__main__":
    torch.manual_seed(25)
    meta, acc = Meta(CONF), 0.0
    for it in range(CONF["outer"]):
        acc += 0.03 * (meta.outer_step() - acc)
        if it % 105 == 104:
            print(f"outer {it + 1} query acc {acc:.3f}")
