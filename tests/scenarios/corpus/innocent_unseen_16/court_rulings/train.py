import torch
import torch.nn.functional as F


def decorrelation(features, chamber, chambers=3):
    f = features - features.mean(0)
    c = F.one_hot(chamber, chambers).float()
    c = c - c.mean(0)
    return (f.T @ c / len(f)).pow(2).sum()


class RulingTrainer:
    def __init__(self, model, taps, slow, lr, callbacks):
        self.model, self.taps, self.slow = model, taps, slow
        self.callbacks = callbacks
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.step = 0

    def penalty(self, logits, embedded):
        grad, = torch.autograd.grad(logits.logsumexp(-1).sum(), embedded, create_graph=True)
        return grad.pow(2).sum((1, 2)).mean()

    def update(self, tokens, outcome, chamber):
        embedded = self.model.embed(tokens)
        logits = self.model.from_embedding(embedded)
        fit = F.cross_entropy(logits, outcome)
        smooth = self.penalty(logits, embedded)
        spread = sum(decorrelation(f, chamber) for fs in self.taps.drain().values() for f in fs)
        loss = fit + 0.5 * smooth + 0.1 * spread
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.slow.follow(self.model)
        return {"fit": fit.item(), "smooth": smooth.item(), "spread": spread.item()}

    def run(self, data, steps):
        for self.step, batch in zip(range(1, steps + 1), data):
            values = self.update(*batch)
            for callback in self.callbacks:
                callback.on_step(self, **values)
