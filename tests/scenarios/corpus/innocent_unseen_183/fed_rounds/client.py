import torch
import torch.nn.functional as F


class ClientState:
    """What a client reports back when its round is over."""

    def __init__(self):
        self.losses = []
        self.logits = None
        self.n_seen = 0

    def mean_loss(self):
        return torch.stack([l.detach() for l in self.losses]).mean().item()


class Client:
    def __init__(self, cid, x, y):
        self.cid = cid
        self.x, self.y = x, y
        self.state = ClientState()

    def begin_round(self):
        self.state = ClientState()

    def batch(self, gen, size=16):
        idx = torch.randint(len(self.x), (size,), generator=gen)
        return self.x[idx], self.y[idx]

    def local_step(self, model, opt, gen):
        x, y = self.batch(gen)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        self.state.losses.append(loss)
        self.state.logits = logits
        self.state.n_seen += len(x)
        return loss.item()
