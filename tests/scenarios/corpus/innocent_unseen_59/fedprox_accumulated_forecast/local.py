"""One site's training between two synchronisations."""
import torch
import torch.nn.functional as F


class LocalTrainer:
    def __init__(self, site, series, micro, mu, lr):
        self.site, self.series = site, series
        self.micro, self.mu, self.lr = micro, mu, lr

    def micro_batch(self, model, n=12):
        span = model.history + model.horizon
        starts = torch.randint(len(self.series) - span, (n,))
        rows = torch.stack([self.series[s:s + span] for s in starts.tolist()])
        return rows[:, :model.history], rows[:, model.history:], starts % 7

    def proximal(self, model, anchor):
        return sum((p - a).pow(2).sum() for p, a in zip(model.parameters(), anchor))

    def window(self, model):
        """Gradients of `micro` micro-batches; the last backward lets go of the shared factors."""
        model.new_window()
        seen = 0.0
        for k in range(self.micro):
            past, future, weekday = self.micro_batch(model)
            loss = F.l1_loss(model(past, weekday), future) / self.micro
            loss.backward(retain_graph=k < self.micro - 1)
            seen += loss.item()
        return seen

    def train(self, model, steps):
        anchor = [p.detach().clone() for p in model.parameters()]
        opt = torch.optim.SGD(model.parameters(), lr=self.lr, momentum=0.9)
        losses = []
        for _ in range(steps):
            opt.zero_grad()
            losses.append(self.window(model))
            (self.mu / 2 * self.proximal(model, anchor)).backward()
            opt.step()
        update = [p.detach() - a for p, a in zip(model.parameters(), anchor)]
        model.new_window()
        return update, sum(losses) / len(losses)
