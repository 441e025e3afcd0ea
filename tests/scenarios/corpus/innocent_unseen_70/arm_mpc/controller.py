import torch


class Planner:
    def __init__(self, model, horizon, passes=3, rate=0.5):
        self.model = model
        self.horizon = horizon
        self.passes = passes
        self.rate = rate
        self.cold_start()

    def cold_start(self):
        self.actions = torch.zeros(self.horizon, 1)
        self.rollout = []

    def imagine(self, state, actions):
        states = []
        for action in actions:
            state = self.model(state, torch.tanh(action))
            states.append(state)
        return states

    def cost(self, states, actions, goal):
        path = torch.stack(states)
        return ((path[:, 0] - goal) ** 2).sum() + 0.05 * (path[:, 1] ** 2).sum() + 0.01 * (actions ** 2).sum()

    def plan(self, state, goal):
        warm = torch.cat([self.actions[1:], self.actions[-1:]]).detach()
        for _ in range(self.passes):
            warm.requires_grad_(True)
            slope, = torch.autograd.grad(self.cost(self.imagine(state, warm), warm, goal), warm)
            warm = (warm - self.rate * slope).detach()
        self.actions = warm
        self.rollout = self.imagine(state, warm)
        return torch.tanh(warm[0]).detach()
