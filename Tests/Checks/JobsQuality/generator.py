"""Makes sixty résumés from a seed: twelve occupations, eight layouts, four formats, each with what it says."""

import random

from maker.model import Columns, Document, PageBreak, Paragraph as P, Table

NAMES = [
    "Emily Carter", "Marcus Bell", "Chiara Lombardi", "Łukasz Zieliński", "Ngozi Adeyemi", "Jürgen Großmann", "Sofía Hernández Ruiz",
    "Hannah Brooks", "Tuấn Phạm", "Oluwaseun Bankole", "Aoife Ní Bhriain", "Gabriela dos Santos", "Viktor Håkansson", "Mei-Ling Zhao",
    "Rahul Deshpande", "Fatima El Amrani", "Jan van der Berg", "Connor O'Malley", "Élodie Lefèvre", "Dmitri Sokolov", "Sarah J. Whitman",
    "Kenji Watanabe", "Ayşe Yıldırım", "Petra Nováková", "Thandiwe Mokoena", "William Ashford III", "Ana María Quispe", "Bjørn Lindqvist",
    "Grace Kimani", "Matthew Delacroix",
]
PLACES = ["Denver, CO", "Portland, OR", "Atlanta, GA", "Minneapolis, MN", "Leeds, UK", "Toronto, ON", "Munich, Germany", "Tampa, FL",
          "Albuquerque, NM", "Krakow, Poland", "Richmond, VA", "Boise, ID"]
FIRST = ["Blue Heron", "Stonegate", "Harrow", "Pinecrest", "Vantage Point", "Silverbrook", "Northwind", "Oakhaven", "Redwater", "Kestrel",
         "Marlowe", "Granite Peak", "Larkspur", "Sable", "Westmark", "Copper Hill", "Tidewater", "Ashgrove", "Summit Lane", "Birchfield"]
SCHOOLS = ["Ridgeway University", "Brookhaven State University", "Technical University of Waldau", "Saint Aldric College",
           "University of Lakemont", "Harlan Institute of Technology", "Universidad de Montenegro del Sur", "Kingsport Community College"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
LONG = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]

# Occupation: titles from the lowest up, endings of employers, skills that are known and such as no list has, degrees, sentences.
WORK = {
    "Software Engineer": (["Junior Software Developer", "Software Engineer", "Senior Software Engineer", "Staff Software Engineer"],
        ["Software", "Technologies", "Systems Inc.", "Labs"], ["Java", "Python", "PostgreSQL", "Docker", "Kubernetes", "REST", "Git", "AWS", "C++"],
        ["Nix", "Zig", "Bazel", "OpenTelemetry", "Temporal workflows"], [("B.S.", "Computer Science"), ("MSc", "Software Engineering")],
        ["Split a billing system of 300,000 lines into six services.", "Brought the build from 40 minutes down to six.", "Mentored four new colleagues."]),
    "Registered Nurse": (["Staff Nurse", "Registered Nurse", "Charge Nurse"], ["Hospital", "Medical Center", "Health System", "Clinic"],
        ["Patient Care", "Triage", "IV Therapy", "Wound Care", "Vital Signs", "BLS", "Telemetry", "Care Planning"],
        ["Dialysis circuits", "Bedside handover", "Sepsis bundles", "Rapid response"], [("Bachelor of Science in Nursing", None), ("Associate Degree", "Nursing")],
        ["Cared for six patients a shift on a surgical ward.", "Trained eleven new nurses.", "Led the ward's fall prevention; falls went down by 40 %."]),
    "Accountant": (["Accounting Clerk", "Staff Accountant", "Senior Accountant", "Accounting Manager"], ["Holdings", "Partners LLP", "Group", "Industries Inc."],
        ["GAAP", "QuickBooks", "Excel", "Accounts Payable", "General Ledger", "SAP", "Financial Reporting", "Budgeting"],
        ["FloQast", "NetSuite", "Lease schedules", "Intercompany eliminations"], [("B.B.A.", "Accounting"), ("Master of Science", "Accountancy")],
        ["Closed the month in five days instead of nine.", "Found 84,000 dollars paid twice.", "Prepared the schedules for the yearly audit."]),
    "Marketing Manager": (["Marketing Assistant", "Marketing Specialist", "Marketing Manager", "Head of Marketing"], ["Media", "Brands", "Foods", "Digital"],
        ["SEO", "Google Ads", "Email Marketing", "Branding", "HubSpot", "Market Research", "Google Analytics"],
        ["Podcast sponsoring", "Braze", "Retail media", "Attribution models"], [("B.A.", "Communication"), ("MBA", None)],
        ["Grew the newsletter from 8,000 to 60,000 readers.", "Launched a brand in four countries.", "Owned a budget of two million."]),
    "Teacher": (["Teaching Assistant", "Substitute Teacher", "English Teacher", "Lead Teacher"], ["Elementary School", "High School", "Academy", "School District"],
        ["Lesson Planning", "Classroom Management", "Curriculum Development", "Google Classroom", "Student Assessment", "IEP"],
        ["Kagan structures", "Socratic seminars", "Seesaw", "Restorative circles"], [("B.Ed.", "Primary Education"), ("M.A.", "English Literature")],
        ["Taught four classes of 28 children.", "Founded the school's debating club.", "Raised reading scores by 17 points."]),
    "Electrician": (["Apprentice Electrician", "Journeyman Electrician", "Master Electrician"], ["Electric Co.", "Electrical Contractors", "Power Services", "Builders"],
        ["Wiring", "Blueprint Reading", "Conduit Bending", "Motor Controls", "Power Tools", "Panel Installation"],
        ["Arc flash studies", "Solar arrays", "EV chargers", "Thermography"], [("Diploma", "Electrical Technology"), ("Certificate", "Industrial Wiring")],
        ["Wired two schools and a cinema.", "No accident in nine years.", "Led a crew of four."]),
    "Chef": (["Line Cook", "Chef de Partie", "Sous Chef", "Executive Chef"], ["Restaurant", "Hotel", "Kitchen", "Bistro"],
        ["Food Safety", "Menu Development", "HACCP", "Knife Skills", "Catering", "Inventory Management", "Baking"],
        ["Charcuterie", "Foraging", "Plancha", "Dry ageing"], [("Diploma", "Culinary Arts"), ("Associate of Applied Science", "Hospitality")],
        ["Ran the grill for 140 covers a night.", "Kept food cost at 28 %.", "Wrote a menu of 22 dishes four times a year."]),
    "Data Analyst": (["Junior Data Analyst", "Data Analyst", "Senior Data Analyst"], ["Analytics", "Insurance", "Retail Group", "Energy"],
        ["SQL", "Python", "Tableau", "Excel", "Power BI", "Statistics", "A/B Testing", "R"],
        ["Metabase", "DuckDB", "Cohort tables", "Great Expectations"], [("B.Sc.", "Mathematics"), ("M.S.", "Statistics")],
        ["Forecast demand of 900 shops with an error of 7 %.", "Replaced 31 weekly spreadsheets.", "Taught 60 colleagues to ask the right questions."]),
    "Project Manager": (["Project Coordinator", "Project Manager", "Senior Project Manager", "Program Manager"], ["Consulting", "Engineering Group", "Solutions", "Transport"],
        ["Scrum", "Agile", "Risk Management", "JIRA", "Budgeting", "Stakeholder Management", "Microsoft Project"],
        ["Earned value", "Smartsheet", "PRINCE2", "Critical chain"], [("B.A.", "Business Administration"), ("Master of Engineering", "Industrial Engineering")],
        ["Delivered eleven projects in time, worth nine million together.", "Moved 400 people to another office in one weekend.", "Kept a register of 120 risks."]),
    "Mechanical Engineer": (["Design Engineer", "Mechanical Engineer", "Senior Mechanical Engineer", "Lead Mechanical Engineer"], ["Motors", "Robotics", "Aerospace", "Pumps Inc."],
        ["SolidWorks", "ANSYS", "GD&T", "MATLAB", "3D Printing", "Finite Element Analysis", "CATIA"],
        ["Investment casting", "Fatigue tests", "Hexagon metrology", "Creo"], [("B.Eng.", "Mechanical Engineering"), ("M.S.", "Mechanical Engineering")],
        ["Took 14 % of the mass out of a gearbox.", "Designed a gripper that is built 5,000 times a year.", "Ran the fatigue tests of three axles."]),
    "Customer Service Representative": (["Call Center Agent", "Customer Service Representative", "Customer Support Specialist"], ["Telecom", "Airlines", "Outfitters", "Bank"],
        ["Customer Service", "Zendesk", "CRM", "Conflict Resolution", "Live Chat", "Data Entry", "Order Processing"],
        ["Freshdesk", "Callback queues", "Genesys", "Refund rules"], [("Associate Degree", "Business"), ("High School Diploma", None)],
        ["Answered 70 calls a day, 95 % of them to the end.", "Trained nine agents.", "Wrote the answers of the help pages."]),
    "UX Designer": (["Junior UI Designer", "UX Designer", "Senior UX Designer", "Product Designer"], ["Studio", "Interactive", "Apps", "Bank"],
        ["Figma", "Wireframing", "User Research", "Prototyping", "Usability Testing", "Design Systems", "Accessibility"],
        ["Maze", "Card sorting", "Principle", "Diary studies"], [("B.F.A.", "Graphic Design"), ("M.Des.", "Interaction Design")],
        ["Tested 40 prototypes with 200 people.", "Built a library of 70 components.", "Raised the share of finished orders from 30 % to 44 %."]),
}
LAYOUTS = ["one", "two", "table", "sidebar", "icons", "bare", "pages", "scan"]
FORMATS = ["pdf", "docx", "odt", "txt"]
HEADINGS = {
    "work": ["Experience", "WORK EXPERIENCE", "Professional Experience", "Employment History", "Career History", "EMPLOYMENT"],
    "education": ["Education", "EDUCATION", "Academic Background", "Education & Training"],
    "skills": ["Skills", "TECHNICAL SKILLS", "Core Competencies", "Key Skills", "Areas of Expertise"],
    "summary": ["Summary", "PROFILE", "About Me", "Professional Summary"],
    "contact": ["Contact", "CONTACT", "Contact Details"],
}


class Person:
    """A person with a career, and the manner in which they write it down."""

    def __init__(self, dice, number, layout):
        self.dice, self.layout = dice, layout
        self.occupation = list(WORK)[number % len(WORK)]
        self.titles, self.endings, known, others, degrees, self.sentences = WORK[self.occupation]
        self.name = NAMES[number * 7 % len(NAMES)]
        plain = "".join(letter for letter in self.name.lower() if "a" <= letter <= "z" or letter == " ").split()
        self.email = dice.choice([f"{plain[0]}.{plain[-1]}@example.org", f"{plain[0][0]}{plain[-1]}{dice.randint(1, 99)}@mail.example.org"])
        code = dice.randint(201, 989)
        line = f"01{dice.randint(10, 99)}"
        self.phone = dice.choice([f"({code}) 555-{line}", f"{code}-555-{line}", f"+1 {code} 555 {line}", f"{code}.555.{line}", f"+49 30 5550 {line}"])
        self.place = dice.choice(PLACES)
        self.skills = dice.sample(known, min(len(known), 6)) + dice.sample(others, 3)
        dice.shuffle(self.skills)
        self.jobs = self.career()
        self.schools = self.studies(degrees)
        self.heading = {kind: dice.choice(words) for kind, words in HEADINGS.items()}
        self.dates = dice.choice(["short", "long", "slash", "iso", "years", "dots"])
        self.order = dice.choice(["title-employer", "employer-title", "one-line", "comma", "right"])
        self.separator = dice.choice([", ", " | ", " – ", " at "])

    def career(self):
        count = self.dice.randint(2, 4) + (2 if self.layout == "pages" else 0)
        year, month = 2026, self.dice.randint(1, 9)
        first = self.dice.sample(FIRST, count)
        jobs = []
        for index in range(count):
            months = self.dice.randint(14, 50)
            end = None if index == 0 and self.dice.random() < 0.7 else (year, month)
            start = divmod((year * 12 + month - 1) - months, 12)
            start = (start[0], start[1] + 1)
            title = self.titles[max(0, len(self.titles) - 1 - index)] if index < len(self.titles) else self.titles[0]
            jobs.append((title, f"{first[index]} {self.dice.choice(self.endings)}", start, end, self.dice.choice(PLACES)))
            year, month = start
            month -= 1
            if month == 0:
                year, month = year - 1, 12
        return jobs

    def studies(self, degrees):
        year = self.jobs[-1][2][0] - self.dice.randint(0, 1)
        chosen = degrees if self.dice.random() < 0.5 else degrees[:1]
        return [(degree, area, self.dice.choice(SCHOOLS), year - 2 * index) for index, (degree, area) in enumerate(reversed(chosen))]

    def date(self, when):
        year, month = when
        return {"short": f"{MONTHS[month - 1]} {year}", "long": f"{LONG[month - 1]} {year}", "slash": f"{month:02}/{year}",
                "iso": f"{year}-{month:02}", "years": str(year), "dots": f"{month:02}.{year}"}[self.dates]

    def span(self, start, end):
        dash = {"short": " – ", "long": " to ", "slash": " - ", "iso": " – ", "years": "–", "dots": " - "}[self.dates]
        return self.date(start) + dash + (self.date(end) if end else {"short": "Present", "long": "present"}.get(self.dates, "Present"))

    def truth(self):
        def true_date(when):
            return str(when[0]) if self.dates == "years" else f"{when[0]}-{when[1]:02}"
        return {
            "basics": {"name": self.name, "email": self.email, "phone": self.phone}, "occupation": self.occupation,
            "work": [{"position": title, "name": employer, "startDate": true_date(start), **({"endDate": true_date(end)} if end else {})}
                     for title, employer, start, end, _ in self.jobs],
            "education": [{"institution": school, "studyType": degree, **({"area": area} if area else {}), "endDate": str(year)}
                          for degree, area, school, year in self.schools],
            "skills": self.skills,
        }

    # What the layouts are put together from.

    def head(self, kind, **style):
        return P(self.heading[kind], **{"size": 12, "bold": True, "heading": True, "before": 12, **style})

    def contact(self):
        return [self.email, self.phone, self.place]

    def summary(self):
        return P(f"{self.titles[-1]} who has spent {2026 - self.jobs[-1][2][0]} years on work that people rely on, and likes to pass on what was learned.")

    def entry(self, job, width=None):
        title, employer, start, end, place = job
        span = self.span(start, end)
        bullets = [P(text, bullet="•") for text in self.dice.sample(self.sentences, self.dice.randint(1, 3))]
        if self.order == "title-employer":
            header = [P(title, bold=True, before=6), P(f"{employer}, {place}"), P(span, italic=True)]
        elif self.order == "employer-title":
            header = [P(employer, bold=True, before=6), P(title), P(f"{span} | {place}" if width is None else span)]
        elif self.order == "one-line" and width is None:
            header = [P(f"{title}{self.separator}{employer}", bold=True, right=span, before=6)]
        elif self.order == "comma" and width is None:
            header = [P(f"{title}, {employer}, {span}", bold=True, before=6)]
        elif width is None:
            header = [P(employer, bold=True, right=place, before=6), P(title, italic=True, right=span)]
        else:
            header = [P(f"{title}{self.separator}{employer}", bold=True, before=6), P(span)]
        return header + bullets

    def work(self, width=None):
        return [p for job in self.jobs for p in self.entry(job, width)]

    def education(self, width=None):
        out = []
        form = self.dice.choice(["two", "one", "right"])
        for degree, area, school, year in self.schools:
            study = degree if area is None else self.dice.choice([f"{degree} in {area}", f"{degree}, {area}"]) if "." in degree else f"{degree} in {area}"
            if form == "one" and width is None:
                out.append(P(f"{study}, {school}, {year}", before=4))
            elif form == "right" and width is None:
                out += [P(study, bold=True, right=str(year), before=4), P(school)]
            else:
                out += [P(study, bold=True, before=4), P(f"{school}, {year}")]
        return out

    def skill_list(self, form=None):
        form = form or self.dice.choice(["comma", "bar", "bullets", "dots"])
        if form == "bullets":
            return [P(skill, bullet="•") for skill in self.skills]
        return [P({"comma": ", ", "bar": " | ", "dots": " · "}[form].join(self.skills))]

    def document(self):
        elements = getattr(self, "layout_" + self.layout)()
        return Document(elements, font=self.dice.choice(["Liberation Sans", "Liberation Serif", "DejaVu Sans"]))

    def title_lines(self, align="left"):
        return [P(self.name, size=self.dice.choice([18, 22, 26]), bold=True, align=align), P(self.jobs[0][0], size=12, align=align)]

    def layout_one(self):
        sections = [[self.head("work"), *self.work()], [self.head("education"), *self.education()], [self.head("skills"), *self.skill_list()]]
        if self.dice.random() < 0.4:
            sections = [sections[2], sections[0], sections[1]]
        return [*self.title_lines("center"), P(self.dice.choice([" | ", " • ", "  ·  "]).join(self.contact()), align="center"),
                self.head("summary"), self.summary(), *[p for section in sections for p in section]]

    def layout_pages(self):
        """Two pages: each position with more to say."""
        return [*self.title_lines(), P("\n".join(self.contact())), self.head("summary"), self.summary(), self.head("work"),
                *[p for job in self.jobs for p in self.entry(job) + [P(text, bullet="•") for text in self.sentences]],
                self.head("education"), *self.education(), self.head("skills"), *self.skill_list()]

    def layout_two(self):
        left = [self.head("work", before=0), *self.work(width=300)]
        right = [self.head("contact", before=0), *[P(text) for text in self.contact()], self.head("education"), *self.education(width=200),
                 self.head("skills"), *self.skill_list("bullets")]
        return [*self.title_lines(), P("", before=4), Columns([(58, left), (42, right)], gap=22)]

    def layout_sidebar(self):
        side = [self.head("contact", before=20), *[P(text, size=9) for text in self.contact()], self.head("skills"),
                *[P(skill, size=9) for skill in self.skills]]
        main = [*self.title_lines(), self.head("summary"), self.summary(), self.head("work"), *self.work(width=340), self.head("education"),
                *self.education(width=340)]
        return [Columns([(30, side), (70, main)] if self.dice.random() < 0.6 else [(70, main), (30, side)], gap=22)]

    def layout_icons(self):
        return [*self.title_lines(), *[P(text, icon=True) for text in self.contact()], self.head("skills"), *self.skill_list(),
                self.head("work"), *self.work(), self.head("education"), *self.education()]

    def layout_table(self):
        jobs = Table([[self.span(start, end), [P(title, bold=True), P(employer), *[P(text, bullet="•") for text in self.sentences[:2]]]]
                      for title, employer, start, end, _ in self.jobs], [26, 74])
        schools = Table([[str(year), [P(degree if area is None else f"{degree} in {area}", bold=True), P(school)]]
                         for degree, area, school, year in self.schools], [26, 74])
        contact = Table([[label, text] for label, text in zip(("E-mail", "Phone", "Address"), self.contact())], [26, 74])
        return [P(self.name, size=20, bold=True), contact, self.head("work"), jobs, self.head("education"), schools, self.head("skills"),
                *self.skill_list()]

    def layout_bare(self):
        return [*self.title_lines(), P(" | ".join(self.contact())), P("", before=6), *self.work(), P("", before=6), *self.education(),
                *[P(", ".join(self.skills), before=12)]]

    def layout_scan(self):
        return self.layout_one()


def sixty(seed):
    """Label, format, document and truth of each."""
    dice = random.Random(seed)
    out = []
    for number in range(60):
        layout = LAYOUTS[number % 8]
        person = Person(random.Random(dice.random()), number, layout)
        form = "scan" if layout == "scan" else FORMATS[(number // 8 + number) % 4]
        out.append((f"{number:02}-{layout}-{person.order}-{person.dates}", form, person.document(), person.truth()))
    return out
