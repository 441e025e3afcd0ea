import torch


class SessionSource:
    """Two halves of one listening session share a mood."""

    def __init__(self, settings):
        self.settings = settings
        self.moods = 10

    def half(self, mood):
        per_mood = self.settings.songs // self.moods
        inside = torch.randint(0, per_mood, (self.settings.batch, self.settings.length))
        return mood.unsqueeze(1) * per_mood + inside

    def two_views(self):
        mood = torch.randint(0, self.moods, (self.settings.batch,))
        return self.half(mood), self.half(mood)
