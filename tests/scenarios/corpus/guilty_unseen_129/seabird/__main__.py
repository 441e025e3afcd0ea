# gradwatch-corpus: kind=crashed
# first-bad: 150
# notice: 0
import torch
import torch.nn.functional as F

from seabird.curriculum import Curriculum, Phase
from seabird.model import CallNet, Recorder

torch.set_num_threads(1)
torch.manual_seed(28)


class Listener:
    def __init__(self, plan):
        self.net = CallNet()
        self.rec = Recorder()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.plan = plan

    def listen(self):
        right = []
        for phase in self.plan.steps(self.net):
            wave, y = self.rec.clip(14, phase.noise)
            logits = self.net(wave)
            right.append((logits.argmax(1) == y).float().mean().item())
            self.opt.zero_grad()
            F.cross_entropy(logits, y).backward()
            self.opt.step()
        return sum(right[-50:]) / 50


plan = Curriculum([
    Phase(80, ("filters", "recur", "labels"), 0.1),
    Phase(70, ("recur", "labels"), 0.2),
    Phase(90, ("head",), 0.3),  # <- culprit
])
print(Listener(plan).listen())
