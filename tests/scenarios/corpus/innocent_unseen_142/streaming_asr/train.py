import torch
import torch.nn.functional as F


class Trainer:
    """Gradients over `span` chunks, the state beyond that is a constant."""

    def __init__(self, net, span):
        self.net, self.span = net, span
        self.opt = torch.optim.Adam(net.parameters(), 3e-3)
        self.window = []
        self.log = {"loss": [], "acc": []}

    def utterance(self, chunks=24, length=5):
        ph = torch.randint(0, 6, (2, chunks * length // 4)).repeat_interleave(4, 1)
        x = F.one_hot(ph, 8).float() + 0.4 * torch.randn(*ph.shape, 8)
        return zip(x.split(length, 1), ph.split(length, 1))

    def flush(self):
        if not self.window:
            return
        loss = torch.stack(self.window).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.net.cut()
        self.window.clear()
        self.log["loss"].append(loss.item())

    def run(self, utterances):
        for u in range(utterances):
            self.net.reset()
            for x, ph in self.utterance():
                logits = self.net(x)
                self.window.append(F.cross_entropy(logits.flatten(0, 1), ph.flatten()))
                self.log["acc"].append((logits.argmax(-1) == ph).float().mean().item())
                if len(self.window) == self.span:
                    self.flush()
            self.flush()
            if u % 10 == 0:
                print(u, self.log["loss"][-1], self.log["acc"][-1])
