import copy
import random

import torch
import torch.nn.functional as F


class Reservoir:
    def __init__(self, size):
        self.size, self.seen, self.items = size, 0, []

    def __len__(self):
        return len(self.items)

    def add(self, x, y, logits):
        for item in zip(x, y, logits):
            self.seen += 1
            if len(self.items) < self.size:
                self.items.append(item)
            else:
                j = random.randrange(self.seen)
                if j < self.size:
                    self.items[j] = item

    def sample(self, n, width):
        picked = random.sample(self.items, min(n, len(self.items)))
        logits = torch.stack([F.pad(l, (0, width - len(l))) for _, _, l in picked])
        seen = torch.tensor([[c < len(l) for c in range(width)] for _, _, l in picked])
        return torch.stack([p[0] for p in picked]), torch.stack([p[1] for p in picked]), logits, seen


class DERpp:
    def __init__(self, net, buffer_size, alpha=0.3, beta=0.7, gamma=0.5):
        random.seed(17)
        self.net, self.buffer = net, Reservoir(buffer_size)
        self.alpha, self.beta, self.gamma = alpha, beta, gamma
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
        self.old = None
        self.activations = {}
        net.register_forward_hook(self._keep)
        self.curve, self.smooth, self.drift = [], None, 0.0

    def _keep(self, module, args, output):
        self.activations["body"] = output[1]

    def begin_task(self, task):
        self.opt.add_param_group({"params": self.net.grow(len(task["classes"]))})

    def end_task(self):
        self.old = copy.deepcopy(self.net.body).requires_grad_(False)

    def replay_loss(self, n):
        width = sum(h.out_features for h in self.net.heads)
        x1, _, logits, seen = self.buffer.sample(n, width)
        out, _ = self.net(x1)
        loss = self.alpha * ((out - logits).pow(2) * seen).sum(1).mean()
        x2, y2, _, _ = self.buffer.sample(n, width)
        out, _ = self.net(x2)
        return loss + self.beta * F.cross_entropy(out, y2)

    def fit(self, task, steps, batch=20):
        X, Y = task["data"]
        for _ in range(steps):
            i = torch.randint(len(Y), (batch,))
            x, y = X[i], Y[i]
            logits, _ = self.net(x)
            loss = F.cross_entropy(logits, y)
            if self.old is not None:
                dist = F.mse_loss(self.activations["body"], self.old(x))
                loss = loss + self.gamma * dist
                self.drift = dist.item()
            if len(self.buffer):
                loss = loss + self.replay_loss(batch)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.buffer.add(x, y, logits.detach())
            value = loss.item()
            self.curve.append(value)
            self.smooth = value if self.smooth is None else 0.9 * self.smooth + 0.1 * value

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.net(x)[0].argmax(1) == y).float().mean().item()
