import torch


class Session:
    def __init__(self, model, hooks, lr):
        self.model = model
        self.hooks = hooks
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.state = None
        self.day = 0

    def advance(self, x, y):
        self.hooks.fire("before_day", self)
        mean, scale, state = self.model(x, self.state)
        loss = -torch.distributions.Normal(mean, scale).log_prob(y).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.state = state.detach()
        self.day += 1
        self.hooks.fire("after_day", self, loss)
