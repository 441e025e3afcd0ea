class SiteBoard:
    def __init__(self, names):
        self.names = names
        self.loss = {n: [] for n in names}
        self.by_site = {n: [] for n in names}

    def note(self, site, loss, risk, event):
        name = self.names[site]
        self.loss[name].append(loss)
        gap = risk[event > 0].mean() - risk[event == 0].mean()
        self.by_site[name].append(gap)  # <- culprit

    def summary(self):
        parts = []
        for name in self.names:
            gaps = self.by_site[name][-20:]
            mean_gap = sum(float(g) for g in gaps) / max(len(gaps), 1)
            recent = self.loss[name][-20:]
            parts.append(f"{name}: {sum(recent) / max(len(recent), 1):.3f} gap {mean_gap:.2f}")
        return ", ".join(parts)
