import torch


class Planner:
    def __init__(self, horizon, max_torque, lr):
        self.horizon = horizon
        self.max_torque = max_torque
        self.u = torch.zeros(horizon, requires_grad=True)
        self.opt = torch.optim.SGD([self.u], lr=lr, momentum=0.5)

    def torque(self, k):
        return self.max_torque * torch.tanh(self.u[k])

    def first_torque(self):
        return self.torque(0)

    def cost_to_go(self, plant):
        state = plant.state
        cost = 0.0
        for k in range(self.horizon):
            tq = self.torque(k)
            state = plant.model(state, tq)
            theta, omega = state
            cost = cost + (1 - torch.cos(theta)) + 0.02 * omega ** 2 + 0.002 * tq ** 2
        return cost + 5 * (1 - torch.cos(state[0]))

    def improve(self, plant):
        self.opt.zero_grad()
        cost = self.cost_to_go(plant)
        cost.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_([self.u], 1.0)
        self.opt.step()
        return cost.item()

    def shift(self):
        with torch.no_grad():
            self.u.copy_(torch.cat([self.u[1:], self.u[-1:]]))
