import torch


class Learner:
    def __init__(self, agent, rollout, gamma=0.95):
        self.agent, self.rollout, self.gamma = agent, rollout, gamma
        self.opt = torch.optim.RMSprop(agent.parameters(), lr=3e-3, alpha=0.95)

    def _core_norm(self):
        return sum(p.grad.norm().item() ** 2 for p in self.agent.core.parameters()) ** 0.5

    def update(self, envs, obs, state):
        state = tuple(s.detach() for s in state)
        steps = []
        for _ in range(self.rollout):
            dist, value, state = self.agent(obs, state)
            action = dist.sample()
            obs, reward, done = envs.step(action)
            state = tuple(s * (1 - done)[:, None] for s in state)
            steps.append((dist.log_prob(action), dist.entropy(), value, reward, done))
        with torch.no_grad():
            ret = self.agent(obs, state)[1]
        pg = vf = ent = 0.0
        for logp, entropy, value, reward, done in reversed(steps):
            ret = reward + self.gamma * (1 - done) * ret
            adv = ret - value
            pg = pg - (logp * adv.detach()).mean()
            vf = vf + adv.pow(2).mean()
            ent = ent - entropy.mean()

        self.opt.zero_grad()
        norms, before = {}, 0.0
        terms = [("policy", pg), ("value", 0.5 * vf), ("entropy", 0.01 * ent)]
        for i, (name, term) in enumerate(terms):
            term.backward(retain_graph=i + 1 < len(terms))
            norms[name] = self._core_norm() - before
            before += norms[name]
        torch.nn.utils.clip_grad_norm_(self.agent.parameters(), 1.0)
        self.opt.step()
        return obs, state, sum(s[3].mean().item() for s in steps), norms
