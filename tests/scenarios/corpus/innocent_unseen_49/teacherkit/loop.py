import torch
import torch.nn.functional as F


def frozen(fn):
    return torch.no_grad()(fn)


class DistillTrainer:
    def __init__(self, net, hooks=()):
        self.net, self.hooks = net, list(hooks)
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.scores = []
        self.setup()

    def setup(self):
        pass

    def teach(self, x):
        raise NotImplementedError

    def after_step(self):
        pass

    def loss(self, x, y):
        logits = self.net(x)
        soft = -(self.teach(x) * logits.log_softmax(-1)).sum(-1).mean()
        return F.cross_entropy(logits, y) + 0.3 * soft

    @frozen
    def validate(self, x, y):
        score = F.cross_entropy(self.net(x), y)
        self.scores.append(score)
        return score

    def fit(self, draw, held_out, steps):
        for step in range(steps):
            loss = self.loss(*draw(32))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.after_step()
            score = self.validate(*held_out)
            if step % 25 == 24:
                print(f"step {step + 1} loss {loss.item():.4f} held out {score.item():.4f}")
            if any([hook(step, score, self.net) for hook in self.hooks]):
                break
