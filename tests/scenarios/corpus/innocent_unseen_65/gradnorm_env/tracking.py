import copy


class Curve:
    def __init__(self):
        self.losses, self.weights = [], []
        self.running = 0.0

    def add(self, losses, weights):
        row = losses.detach()
        self.running = self.running + row
        self.losses.append(row)
        self.weights.append(weights.detach().clone())

    def mean(self):
        return (self.running / len(self.losses)).tolist()

    def last_weights(self):
        return self.weights[-1].tolist()


class BestKeeper:
    def __init__(self, patience):
        self.patience, self.bad = patience, 0
        self.value, self.state = None, None

    def see(self, value, model):
        if self.value is None or value < self.value:
            self.value, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience
