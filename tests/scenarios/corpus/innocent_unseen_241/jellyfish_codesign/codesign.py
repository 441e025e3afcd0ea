import torch

from swimmer import Swim


class CoDesigner:
    def __init__(self, morphology, controller, callbacks):
        self.morphology = morphology
        self.controller = controller
        self.swim = Swim(morphology, controller)
        self.opt_body = torch.optim.SGD(morphology.parameters(), lr=0.05)
        self.opt_brain = torch.optim.Adam(controller.parameters(), lr=5e-3)
        self.callbacks = callbacks
        self.wear = torch.zeros(6)
        self.current = None

    def objectives(self):
        path, effort, strain = self.swim(self.wear)
        distance = path[-1]
        body = -distance + self.morphology.material() + 0.05 * strain.mean()
        brain = -distance + 0.02 * effort
        self.current = {"path": path, "strain": strain, "distance": distance}
        return body, brain

    def assign(self, loss, params, keep):
        params = list(params)
        grads = torch.autograd.grad(loss, params, retain_graph=keep)
        for p, g in zip(params, grads):
            p.grad = g

    def generation(self):
        body, brain = self.objectives()
        self.assign(body, self.morphology.parameters(), keep=True)
        self.assign(brain, self.controller.parameters(), keep=False)
        self.opt_body.step()
        self.opt_brain.step()
        self.fatigue()
        return body.item(), brain.item()

    @torch.no_grad()
    def fatigue(self):
        self.wear = (0.95 * self.wear + 0.01 * self.current["strain"]).clamp_max(0.5)

    def evolve(self, generations):
        for g in range(generations):
            body, brain = self.generation()
            for cb in self.callbacks:
                cb(g, self, body, brain)
