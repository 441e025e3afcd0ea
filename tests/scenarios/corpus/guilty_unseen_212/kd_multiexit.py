# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Knowledge distillation into a multi-exit student, hand-rolled trainer."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class BaseTrainer:
    log_every = 25

    def __init__(self, model, lr, clip=None):
        self.model = model
        self.clip = clip
        self.optim = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.optim, 120)

    def compute_losses(self, batch):
        raise NotImplementedError

    def backward_losses(self, losses):
        total = sum(losses.values())
        total.backward(retain_graph=True)  # <- culprit
        if self.clip:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        return total.item()

    def fit(self, batches):
        for i, batch in enumerate(batches):
            self.optim.zero_grad()
            losses = self.compute_losses(batch)
            total = self.backward_losses(losses)
            self.optim.step()
            self.sched.step()
            if i % self.log_every == 0:
                print(i, f"{total:.4f}", {k: round(v.item(), 4) for k, v in losses.items()})


class MultiExit(nn.Module):
    def __init__(self, d, width, classes, exits=3):
        super().__init__()
        self.stem = nn.Linear(d, width)
        self.stages = nn.ModuleList(nn.Sequential(nn.Linear(width, width), nn.ReLU()) for _ in range(exits))
        self.heads = nn.ModuleList(nn.Linear(width, classes) for _ in range(exits))

    def forward(self, x):
        h = F.relu(self.stem(x))
        outs = []
        for stage, head in zip(self.stages, self.heads):
            h = h + stage(h)
            outs.append(head(h))
        return outs


class DistillTrainer(BaseTrainer):
    def __init__(self, student, teacher, temperature=3.0, **kw):
        super().__init__(student, **kw)
        self.teacher = teacher.eval().requires_grad_(False)
        self.T = temperature

    def compute_losses(self, batch):
        x, y = batch
        with torch.inference_mode():
            soft = (self.teacher(x) / self.T).softmax(-1)
        soft = soft.clone()
        losses = {}
        for i, out in enumerate(self.model(x)):
            losses[f"ce{i}"] = F.cross_entropy(out, y)
            losses[f"kd{i}"] = 0.5 * self.T ** 2 * F.kl_div((out / self.T).log_softmax(-1), soft, reduction="batchmean")
        return losses


def stream(n_iters, classes=8, d=20, bs=64):
    centres = torch.randn(classes, d) * 1.5
    for _ in range(n_iters):
        y = torch.randint(0, classes, (bs,))
        yield centres[y] + torch.randn(bs, d), y


def main():
    torch.manual_seed(99)
    teacher = nn.Sequential(nn.Linear(20, 128), nn.ReLU(), nn.Linear(128, 8))
    t_opt = torch.optim.Adam(teacher.parameters(), 1e-2)
    data = list(stream(140))
    for x, y in data[:20]:
        t_opt.zero_grad()
        F.cross_entropy(teacher(x), y).backward()
        t_opt.step()
    trainer = DistillTrainer(MultiExit(20, 48, 8), teacher, lr=0.03, clip=2.0)
    trainer.fit(data[20:])


if __name__ == "__main__":
    main()
