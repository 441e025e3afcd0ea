import torch
import torch.nn.functional as F

from journal import Journal


class Runner:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.RMSprop(net.parameters(), lr=lr)
        self.journal = Journal(every=5)

    def fit(self, batches):
        for step, (x, y) in enumerate(batches):
            logits = self.net(x)
            loss = F.cross_entropy(logits, y, label_smoothing=0.05)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % self.journal.every == 0:
                self.describe(step, loss, logits, y)  # <- culprit

    def describe(self, step, loss, logits, y):
        confident = logits.softmax(-1).amax(-1)
        hits = logits.argmax(-1) == y

        def line():
            sure = confident[hits].mean() if hits.any() else torch.zeros(())
            return (f"step {step:4d}  loss {loss.item():.3f}  "
                    f"acc {hits.float().mean().item():.2f}  sure {sure.item():.2f}")

        self.journal.note(line)  # <- culprit

    def finish(self):
        print(self.journal.render(last=8))
