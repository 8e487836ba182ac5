"""Calls of those who act for somebody: guardians, and the operator with the service's key."""

import time


class Acting:
    """A part of the world."""

    def any_guardianship(self, random):
        known = [(athlete, guardian) for athlete in self.people for guardian in athlete.guardians]
        return random.choice(known) if known else (None, None)

    def invite_guardian(self, random):
        athlete, guardian = random.sample(self.people, 2)
        if guardian in athlete.guardians:
            return
        right = random.choice(["view", "manage"])
        made = self.call("POST", "/api/account/guardians", athlete, {"email": guardian.email, "right": right}).expect(201).json["data"]
        token = {"token": made["url"].split("#")[1]}
        self.call("POST", "/api/account/invitation/acceptance", guardian, token).expect(200)
        # It works once.
        self.call("POST", "/api/account/invitation/acceptance", guardian, token).expect(410)
        athlete.guardians[guardian] = (made["id"], right)

    def end_guardianship(self, random):
        """By the athlete or by the guardian, and with it what the guardian has handed out."""
        athlete, guardian = self.any_guardianship(random)
        if not athlete:
            return
        id, _ = athlete.guardians.pop(guardian)
        self.call("DELETE", f"/api/account/guardians/{id}", random.choice([athlete, guardian])).expect(200)
        self.is_refused_soon(lambda: self.call("GET", "/api/documents", guardian, headers=self.acting_for(athlete)), 403)
        for token, link in athlete.links.items():
            if link.maker is guardian:
                link.has_ended = True
                self.is_refused_soon(lambda token=token: self.call("GET", f"/api/shared/file?link={token}", None), 404)

    def is_refused_soon(self, call, status):
        """The end of a right is noticed within a second; a busy machine gets another one."""
        deadline = time.monotonic() + 2
        while (answer := call()).status != status:
            time.monotonic() < deadline or self.wrong(f"{answer.what} is answered {answer.status} after the end of the right")
            time.sleep(0.05)

    @staticmethod
    def acting_for(athlete):
        return {"Acting-For": athlete.id}

    def act_as_guardian(self, random):
        """One reads, and changes with the right to manage alone."""
        athlete, guardian = self.any_guardianship(random)
        if not athlete or not athlete.documents:
            return
        document, may_change = random.choice(list(athlete.documents.values())), athlete.guardians[guardian][1] == "manage"
        fields, title = self.acting_for(athlete), self.word(random)
        answer = self.call("GET", f"/api/documents/{document.id}/file", guardian, headers=fields)
        if document.has_file:
            answer.expect(200).brings(document.content)
        else:
            answer.expect(404)
        answer = self.call("PATCH", f"/api/documents/{document.id}", guardian, {"title": title}, fields)
        if may_change:
            answer.expect(200)
            self.renamed(athlete, document, title)
        else:
            answer.expect(403)
            self.forget(title)
        self.look_at(athlete, document)

    def put_as_guardian(self, random):
        """What a guardian stores is the athlete's."""
        athlete, guardian = self.any_guardianship(random)
        if not athlete:
            return
        content, title = self.content(random), self.word(random)
        answer = self.call("POST", f"/api/documents?type=stats_sheet&title={title}&file_name=a.csv", guardian, content.bytes,
                           self.acting_for(athlete))
        if athlete.guardians[guardian][1] == "manage":
            self.look_at(athlete, self._add(athlete, answer, content))
        else:
            answer.expect(403)
            self.forget(title, content.word)

    def link_as_guardian(self, random):
        athlete, guardian = self.any_guardianship(random)
        if not athlete or not athlete.documents or athlete.guardians[guardian][1] != "manage":
            return
        self.link(athlete, random.choice(list(athlete.documents.values())), guardian)

    # MARK: The operator

    def as_operator(self, method, address, body=None):
        return self.call(method, address, None, body, {"apikey": self.service_key, "Prefer": "return=representation"})

    def look_as_operator(self, random):
        """The service's key sees everybody's rows."""
        count = sum(len(person.documents) for person in self.people)
        answer = self.as_operator("GET", "/rest/v1/documents?select=id")
        len(answer.expect(200).json) == min(count, 1000) or self.wrong(f"the operator sees {len(answer.json)} rows, not {count}")
        len(self.as_operator("GET", "/rest/v1/documents?limit=1").json) == min(count, 1) or self.wrong("limit=1 of the operator")

    def rename_as_operator(self, random):
        person, document = self.any_document(random)
        if not document:
            return
        title = self.word(random)
        address = f"/rest/v1/documents?id=eq.{document.id}&user_id=eq.{person.id}&select=title"
        self.as_operator("PATCH", address, {"title": title}).expect(200)
        self.renamed(person, document, title)
        self.look_at(person, document)

    def delete_as_operator(self, random):
        person, document = self.any_document(random)
        if document:
            self.as_operator("DELETE", f"/rest/v1/documents?id=eq.{document.id}").expect(200)
            self.removed(person, person.line(document) if document.is_current else [document])
