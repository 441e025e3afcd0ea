import torch
import torch.nn.functional as F


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.n = 0.0, 0

    def add(self, value):
        self.total += value
        self.n += 1

    @property
    def mean(self):
        return self.total / max(1, self.n)


class Balancer:
    """keeps a running mean of each task's gradient norm on the shared part and
    weights the tasks by its inverse"""

    def __init__(self, shared, n_tasks, momentum=0.95):
        self.shared = shared
        self.momentum = momentum
        self.norms = torch.ones(n_tasks)
        self.weights = torch.ones(n_tasks)

    def measure(self, losses):
        norms = []
        for loss in losses:
            grads = torch.autograd.grad(loss, self.shared, retain_graph=True)
            norms.append(torch.sqrt(sum(g.pow(2).sum() for g in grads)))
        self.norms = self.momentum * self.norms + (1 - self.momentum) * torch.stack(norms)
        inverse = 1 / self.norms.clamp(min=1e-4)
        self.weights = len(losses) * inverse / inverse.sum()

    def combine(self, losses):
        return sum(w * l for w, l in zip(self.weights, losses))


def task_losses(model, batch):
    x, words, counts = batch
    word_logits, count_logits = model(x, words)
    caption = F.cross_entropy(word_logits.flatten(0, 1), words.flatten())
    return [caption, F.cross_entropy(count_logits, counts)]


def train_step(model, batch, optimizer, balancer):
    model.train()
    losses = task_losses(model, batch)
    balancer.measure(losses)
    optimizer.zero_grad()
    balancer.combine(losses).backward()
    optimizer.step()
    return {"caption": losses[0].item(), "count": losses[1].item()}


@torch.no_grad()
def validate(model, batches):
    model.eval()
    words_ok, counts_ok = Meter(), Meter()
    for x, words, counts in batches:
        word_logits, count_logits = model(x)
        words_ok.add((word_logits.argmax(-1) == words).float().mean().item())
        counts_ok.add((count_logits.argmax(-1) == counts).float().mean().item())
    return words_ok.mean, counts_ok.mean
