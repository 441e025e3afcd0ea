import torch
import torch.nn.functional as F


class Loop:
    def __init__(self, net, hooks):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.8)
        self.hooks = hooks
        self.history = []
        self.epoch = -1

    def call(self, name, *args):
        for h in self.hooks:
            getattr(h, name)(self, *args)

    def run(self, data, epochs, rounds):
        for self.epoch in range(epochs):
            self.call("before_epoch")
            for _ in range(rounds):
                for group in data.sensors:
                    x, y = data.draw(group)
                    logits = self.net(x)
                    loss = F.cross_entropy(logits, y)
                    self.opt.zero_grad()
                    loss.backward()
                    self.opt.step()
                    acc = logits.argmax(1).eq(y).float().mean()
                    self.call("after_batch", group, {"loss": loss, "acc": acc})
            self.call("after_epoch")
