import math

import torch
import torch.nn.functional as F


class RateTuner:
    def __init__(self, sizes, start_lr, rate_lr):
        self.weights = {}
        for i in range(len(sizes) - 1):
            w = torch.randn(sizes[i + 1], sizes[i]) / math.sqrt(sizes[i])
            self.weights["w%d" % i] = w.requires_grad_()
            self.weights["b%d" % i] = torch.zeros(sizes[i + 1], requires_grad=True)
        self.n_layers = len(sizes) - 1
        self.log_lr = torch.tensor(math.log(start_lr), requires_grad=True)
        self.rate_opt = torch.optim.SGD([self.log_lr], lr=rate_lr)

    def predict(self, weights, x):
        for i in range(self.n_layers):
            x = F.linear(x, weights["w%d" % i], weights["b%d" % i])
            if i < self.n_layers - 1:
                x = torch.tanh(x)
        return x

    def inner(self, x, y):
        loss = F.mse_loss(self.predict(self.weights, x), y)
        names = list(self.weights)
        grads = torch.autograd.grad(loss, [self.weights[k] for k in names], create_graph=True)
        lr = self.log_lr.exp()
        new = {}
        for k, g in zip(names, grads):
            new[k] = self.weights[k] - lr * g
        return loss, new

    def step(self, train_batch, valid_batch):
        train_loss, new = self.inner(*train_batch)
        x, y = valid_batch
        valid_loss = F.mse_loss(self.predict(new, x), y)
        self.rate_opt.zero_grad()
        valid_loss.backward(inputs=[self.log_lr], retain_graph=True)  # <- culprit
        self.log_lr.grad.clamp_(-1.0, 1.0)
        self.rate_opt.step()
        self.weights = new  # <- culprit
        return {
            "train": round(train_loss.item(), 5),
            "valid": round(valid_loss.item(), 5),
            "lr": self.log_lr.exp().item(),
        }

    def score(self, part):
        x, y = part
        with torch.no_grad():
            return F.mse_loss(self.predict(self.weights, x), y).item()
