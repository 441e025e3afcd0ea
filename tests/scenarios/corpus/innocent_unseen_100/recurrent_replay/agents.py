import torch
import torch.nn.functional as F

from qnet import RecurrentQ, TargetMixin


class RecurrentAgent(TargetMixin):
    def __init__(self, spec, memory):
        self.spec, self.memory = spec, memory
        self.net = RecurrentQ(spec)
        self.make_target(self.net)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=spec.lr)

    def initial(self):
        return torch.zeros(1, self.spec.hidden)

    def act(self, obs, h, explore):
        q, h_next = self.net(obs, h.detach())
        if torch.rand(()) < explore:
            return int(torch.randint(self.spec.actions, ())), h_next
        return int(q.argmax()), h_next

    def remember(self, *transition):
        self.memory.push(*transition)

    def learn(self):
        b = self.memory.sample(self.spec.batch)
        q, h_next = self.net(b.obs, b.h)
        chosen = q.gather(1, b.action[:, None]).squeeze(1)
        goal = b.reward + self.spec.gamma * self.target(b.nxt, b.h_next)[0].max(1).values
        consistency = F.mse_loss(h_next, b.h_next)
        loss = F.smooth_l1_loss(chosen, goal) + 0.01 * consistency
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.track(self.net, self.spec.tau)
