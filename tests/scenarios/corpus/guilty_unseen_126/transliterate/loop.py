import random
import torch.nn.functional as F


class Loop:
    def __init__(self, net, opt, teacher_forcing_ratio):
        self.net, self.opt, self.ratio = net, opt, teacher_forcing_ratio

    def forward(self, src, tgt):
        if random.random() < self.ratio:
            return self.net(src, tgt)
        return self.net.generate(src, tgt.size(1))

    def run(self, stream, n):
        for k in range(n):
            src, tgt = next(stream)
            logits = self.forward(src, tgt)
            loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten())
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if k % 50 == 0:
                print(k, loss.item())
