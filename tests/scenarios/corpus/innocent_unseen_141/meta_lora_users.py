# gradwatch-corpus: kind=none
# Meta-learned LoRA start for per-user keyboards: two inner steps, outer step through them.
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(83)

VOC, D, R = 14, 12, 2
emb = torch.randn(VOC, D) * 0.5
core = {"w1": torch.randn(D, D) * 0.3, "w2": torch.randn(D, VOC) * 0.3}
for w in core.values():
    w.requires_grad_()
start = {"a": torch.randn(D, R) * 0.2, "b": torch.zeros(R, VOC)}
for w in start.values():
    w.requires_grad_()
log_lr = torch.full((2,), -1.0, requires_grad=True)
outer = torch.optim.Adam([*core.values(), *start.values(), log_lr], lr=3e-3)


def predict(x, lora):
    h = torch.tanh(emb[x] @ core["w1"])
    return h @ core["w2"] + h @ lora["a"] @ lora["b"]


def user():
    habit = torch.randperm(VOC)
    def draw(n):
        x = torch.randint(0, VOC, (n,))
        return x, torch.where(torch.rand(n) < 0.5, habit[x], (x + 1) % VOC)
    return draw


def personalise(lora, draw, n_steps=2):
    for _ in range(n_steps):
        x, y = draw(16)
        g = torch.autograd.grad(F.cross_entropy(predict(x, lora), y), list(lora.values()), create_graph=True)
        lora = {k: v - log_lr.exp()[i] * gi for i, ((k, v), gi) in enumerate(zip(lora.items(), g))}
    return lora


running = None
for it in range(450):
    outer.zero_grad()
    meta = 0.0
    for _ in range(3):
        draw = user()
        x, y = draw(20)
        meta = meta + F.cross_entropy(predict(x, personalise(start, draw)), y) / 3
    meta.backward()
    outer.step()
    running = meta.item() if running is None else 0.97 * running + 0.03 * meta.item()
    if it % 90 == 0:
        print(it, round(running, 3), [round(v, 3) for v in log_lr.exp().tolist()])
