"""Writes postings by employers that do not exist, from a seed, in the four forms that the importer takes."""

import csv
import datetime
import html
import io
import json
import random
import re

LISTS = "../../Sources/Matching/Matching/Vocabulary/Data/occupations.txt"
# The day before which all are posted.
DAY = datetime.date(2026, 11, 20)

# Where the twelve live, towns near them, and others.
PLACES = ["Austin, TX", "Round Rock, TX", "Houston, TX", "Seattle, WA", "Tacoma, WA", "Bellevue, WA", "Columbus, OH", "Dayton, OH",
          "Milwaukee, WI", "Chicago, IL", "Evanston, IL", "Detroit, MI", "Ann Arbor, MI", "Portland, OR", "Vancouver, WA",
          "Denver, CO", "Boulder, CO", "Atlanta, GA", "New York, NY", "Jersey City, NJ", "Boston, MA", "Phoenix, AZ", "San Jose, CA",
          "Oakland, CA", "Minneapolis, MN", "Nashville, TN", "Tampa, FL", "London, UK", "Manchester, UK", "Toronto, ON",
          "Munich, Germany", "Berlin, Germany", "Dublin, Ireland"]
FIRST = ["Alderbrook", "Bluefin", "Cinder Hill", "Dovetail", "Ember & Oak", "Fernwood", "Gullwing", "Hollowell", "Ironbark", "Juniper Row",
         "Kitefield", "Lodestar", "Moss Creek", "Nightjar", "Osprey", "Pemberley Lane", "Quillfeather", "Rookery", "Saltmarsh", "Thistledown",
         "Umberline", "Vellum", "Wrenhouse", "Yarrow", "Zephyr Bay"]
# Endings of employers' names by field; an employer of another field is no sign of the work.
LAST = {
    "Software": ["Software", "Labs", "Systems"], "Data": ["Analytics", "Insurance", "Retail Group"],
    "Infrastructure and security": ["Cloud", "Networks", "Bank"], "Product and projects": ["Solutions", "Consulting", "Transport"],
    "Design and media": ["Studio", "Interactive", "Press"], "Health": ["Medical Center", "Clinic", "Hospital"],
    "Education": ["School District", "Academy", "Elementary School"], "Finance": ["Holdings", "Partners LLP", "Software"],
    "Sales and marketing": ["Brands", "Foods", "Software"], "People and office": ["Group", "Telecom", "Software"],
    "Law and public service": ["Law Group", "County Services", "Security"], "Engineering and science": ["Motors", "Robotics", "Pumps Inc."],
    "Trades and construction": ["Builders", "Electric Co.", "Contractors"], "Hospitality and food": ["Bistro", "Hotel", "Kitchens"],
    "Transport and logistics": ["Freight", "Logistics", "Software"], "Retail and personal service": ["Outfitters", "Stores", "Market"],
}
# Titles as employers write them, beside those of the list: some are in no list.
TITLES = {
    "Mobile Developer": ["Senior iOS Engineer", "iOS Developer (Swift)", "Mobile Engineer, iOS", "Lead iOS Developer", "Android Developer",
                         "Swift Engineer – Consumer Apps", "Staff Engineer, iOS Platform", "Junior Mobile Developer", "Senior Mobile App Developer",
                         "Kotlin/Android Engineer II", "iOS Software Engineer", "React Native Developer"],
    "Registered Nurse": ["ICU Nurse – Nights", "Registered Nurse (RN), Critical Care", "Charge Nurse, Cardiac ICU", "Staff Nurse", "Travel Nurse RN",
                         "Emergency Room Nurse", "RN – Medical-Surgical", "Operating Room Nurse", "Pediatric Nurse", "Oncology Nurse (RN)",
                         "Registered Nurse, Step-Down Unit", "Nurse Practitioner"],
    "Accountant": ["Senior Accountant", "Accounting Manager", "General Ledger Accountant", "Staff Accountant", "Corporate Accountant, Consolidations",
                   "Tax Accountant", "Cost Accountant", "Controller", "CPA – Public Accountant", "Accountant II", "Plant Accountant", "Senior Tax Accountant"],
    "Marketing Manager": ["Brand Manager, Snacks", "Marketing Manager", "Digital Marketing Manager", "Product Marketing Manager", "Head of Marketing",
                          "Senior Brand Manager", "Growth Manager", "Marketing Director", "Marketing Lead, Retail", "Regional Marketing Manager",
                          "Shopper Marketing Manager", "Campaign Marketing Manager"],
    "Teacher": ["Third Grade Teacher", "Elementary School Teacher", "Reading Teacher, Grades 2–4", "Special Education Teacher", "Substitute Teacher",
                "ESL Teacher", "Middle School Teacher – English", "Kindergarten Teacher", "Classroom Teacher (4th Grade)", "Math Teacher",
                "Science Teacher", "Primary School Teacher"],
    "Electrician": ["Journeyman Electrician", "Industrial Electrician", "Maintenance Electrician – 2nd Shift", "Apprentice Electrician", "Master Electrician",
                    "Commercial Electrician", "Electrician (Licensed)", "Service Electrician", "Electrical Technician", "Residential Electrician",
                    "Journeyman Wireman Electrician", "Solar Electrician"],
    "Chef": ["Sous Chef", "Chef de Partie", "Executive Chef", "Head Chef – Seafood", "Line Cook", "Pastry Chef", "Kitchen Manager", "Banquet Chef",
             "Junior Sous Chef", "Prep Cook", "Cook", "Chef, Corporate Dining"],
    "Data Analyst": ["Senior Data Analyst", "Data Analyst", "Business Intelligence Analyst", "Product Analyst", "BI Analyst (Power BI)", "Reporting Analyst",
                     "Insights Analyst", "Marketing Data Analyst", "Junior Data Analyst", "Data Analyst – Operations", "Lead Data Analyst", "Analytics Specialist"],
    "Construction Manager": ["Construction Manager", "Construction Superintendent", "Site Manager", "Senior Construction Project Manager", "Site Supervisor",
                             "Assistant Superintendent", "General Contractor – Project Lead", "Construction Manager, Healthcare", "Foreman",
                             "Construction Manager II", "Field Superintendent", "Concrete Foreman"],
    "Mechanical Engineer": ["Lead Mechanical Engineer", "Mechanical Design Engineer", "Mechanical Engineer II", "Senior Mechanical Engineer", "Design Engineer – Gearboxes",
                            "CAD Engineer", "Product Engineer", "Mechanical Engineer, Thermal", "Automotive Engineer", "Principal Mechanical Engineer",
                            "Mechanical Engineer – Robotics", "HVAC Engineer"],
    "Customer Service Representative": ["Customer Support Specialist", "Call Center Agent", "Customer Service Representative", "Customer Care Specialist",
                                        "Client Services Representative", "Customer Service Agent – Evenings", "Customer Support Representative II",
                                        "Call Center Representative (Bilingual)", "Customer Service Manager", "Senior Customer Support Specialist",
                                        "Chat Support Agent", "Customer Happiness Representative"],
    "UX Designer": ["Senior UX Designer", "Product Designer", "UX/UI Designer", "UX Researcher", "Interaction Designer", "Lead Product Designer",
                    "User Experience Designer", "UI Designer", "Junior UX Designer", "Senior Product Designer, Design Systems", "UX Designer – Banking", "Web Designer"],
}
MARKS = ["{}", "{}", "{}", "{} (m/f/d)", "{} – Full-time", "Sr. {}", "Senior {}", "Junior {}", "{} II", "Experienced {}"]
INTRO = ["{company} is looking for a {title} in {place}.", "Join {company} as {title}. We are {size} people and still know each other's names.",
         "{company} has served its customers since {year}. To keep it that way we need a {title}.",
         "You like good work and honest talk? So do we at {company}. Become our next {title}."]
TASKS = ["Work with colleagues of {size} trades and ages.", "Keep what works, and change what does not.", "Report to the head of the department once a week.",
         "Write down what you learned, so that others find it.", "Take part in one improvement each quarter.", "Train new colleagues in their first weeks."]
OFFERS = ["{days} days of leave, and a pension from the first day.", "Software, tools and clothing are provided.", "We teach what you do not know yet.",
          "Flexible hours, and no meetings on Friday afternoon.", "A bonus of one month's pay in good years.", "Parking and the bus are paid for."]
DEGREES = {"Software": "Bachelor's degree in Computer Science", "Data": "Bachelor's degree in Statistics", "Engineering and science": "Bachelor's degree in Engineering",
           "Finance": "Bachelor's degree in Accounting", "Health": "Associate degree in Nursing", "Education": "Bachelor's degree in Education",
           "Sales and marketing": "Bachelor's degree in Marketing", "Design and media": "Degree in design"}


def occupations(text):
    """Name, field, titles, related and skills of the list's occupations, in its order."""
    out, field = [], ""
    for line in text.splitlines():
        if line.startswith("=="):
            field = line[2:].strip()
        elif line.startswith("  "):
            key, items = line.strip().split(":", 1)
            out[-1][key] = [item.strip() for item in items.split(",")]
        elif line and not line.startswith("#"):
            name, titles = line.split(":", 1)
            out.append({"name": name, "field": field, "titles": [name] + [t.strip() for t in titles.split(",") if t.strip()]})
    return out


def posting(dice, number, occupation, title, day):
    """A posting in the project's own keys, with its text as lines."""
    place = dice.choice(PLACES)
    company = f"{dice.choice(FIRST)} {dice.choice(LAST[occupation['field']])}"
    values = {"company": company, "title": title, "place": place, "size": dice.randint(3, 40) * 5, "year": dice.randint(1948, 2019),
              "days": dice.randint(20, 30)}
    skills = dice.sample(occupation["skills"], min(len(occupation["skills"]), dice.randint(4, 7)))
    wanted, welcome = skills[:-2] or skills, skills[-2:]
    low = dice.randint(1, 8)
    years = dice.choice([f"{low}+ years of experience as {title.split(',')[0].split(' –')[0].split(' (')[0]}", f"At least {low} years in a similar role",
                         f"{low}–{low + 3} years of experience", f"Minimum of {['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'][low - 1]} years of experience"])
    ask = [f"Experience with {wanted[0]} and {wanted[1]}", ", ".join(wanted[2:]) or "Good English", years]
    if occupation["field"] in DEGREES and dice.random() < 0.5:
        ask.append(DEGREES[occupation["field"]])
    dice.shuffle(ask)
    lines = [dice.choice(INTRO).format(**values), "", "What you will do", *["• " + t.format(**values) for t in dice.sample(TASKS, 3)], "",
             "What we ask for", *["• " + a for a in ask], "", f"Welcome, but no must: {' and '.join(welcome)}.", "",
             "What we offer", *["• " + o.format(**values) for o in dice.sample(OFFERS, 2)]]
    remote = dice.random() < (0.35 if occupation["field"] in ("Software", "Data", "Design and media", "Infrastructure and security") else 0.06)
    posted = day - datetime.timedelta(days=int(dice.expovariate(1 / 20)) % 110)
    out = {"id": f"P{number:04}", "title": title, "company": company, "location": "Remote" if remote and dice.random() < 0.5 else place, "remote": remote,
           "posted": posted.isoformat(), "url": f"https://jobs.example.org/{number:04}", "lines": lines}
    if dice.random() < 0.4:
        low = dice.randint(16, 60) * 2500
        out["salary"] = f"${low:,}–${low + 15000:,} a year"
    return out


def markup(lines):
    """The lines as HTML, with a script that no reader may keep."""
    parts, items = [], []
    for line in lines + [""]:
        if line.startswith("• "):
            items.append(f"<li>{html.escape(line[2:])}</li>")
            continue
        if items:
            parts.append("<ul>" + "".join(items) + "</ul>")
            items = []
        if line:
            parts.append(f"<p>{html.escape(line)}</p>")
    return "".join(parts) + "<script>track('view')</script>"


def linked(posting):
    """The posting as schema.org's JobPosting."""
    town, _, region = posting["location"].partition(", ")
    country = {"UK": "UK", "Germany": "Germany", "Ireland": "Ireland", "ON": "Canada"}.get(region, "US")
    address = {"@type": "PostalAddress", "addressLocality": town, **({"addressRegion": region} if len(region) == 2 and region != "UK" else {}), "addressCountry": country}
    return {"@context": "https://schema.org", "@type": "JobPosting", "identifier": {"@type": "PropertyValue", "value": posting["id"]},
            "title": posting["title"], "hiringOrganization": {"@type": "Organization", "name": posting["company"]},
            **({"jobLocationType": "TELECOMMUTE"} if posting["remote"] else {}),
            **({"jobLocation": {"@type": "Place", "address": address}} if region else {}),
            "datePosted": posting["posted"], "url": posting["url"], "description": markup(posting["lines"])}


def write(folder, lists, day=DAY):
    """Writes the four files, and truth.json with the occupation of each posting; returns how many there are."""
    dice = random.Random(21)
    all_of_them, truth = [], {}
    for occupation in occupations(lists):
        titles = TITLES.get(occupation["name"]) or [dice.choice(MARKS).format(t) for t in dice.sample(occupation["titles"], min(3, len(occupation["titles"])))]
        for title in titles:
            all_of_them.append(posting(dice, len(all_of_them) + 1, occupation, title, day))
            truth[all_of_them[-1]["id"]] = occupation["name"]
    dice.shuffle(all_of_them)
    folder.mkdir(exist_ok=True)
    cut = len(all_of_them) * 6 // 10
    rest = len(all_of_them) - cut
    own, table, graph, pages = all_of_them[:cut], all_of_them[cut:cut + rest // 2], all_of_them[cut + rest // 2:-6], all_of_them[-6:]
    text = ""
    for item in own:
        text += json.dumps({**{k: v for k, v in item.items() if k != "lines"}, "text": "\n".join(item["lines"])}, ensure_ascii=False) + "\n"
    (folder / "board.jsonl").write_text(text)
    out = io.StringIO()
    writer = csv.writer(out)
    names = ["id", "title", "company", "location", "remote", "posted", "url", "salary"]
    writer.writerow(names + ["description"])
    for item in table:
        writer.writerow([str(item.get(name, "")) for name in names] + ["\n".join(item["lines"])])
    (folder / "staffing.csv").write_text(out.getvalue(), newline="")
    (folder / "employers.jsonld").write_text(json.dumps({"@context": "https://schema.org", "@graph": [linked(item) for item in graph]}, indent=1, ensure_ascii=False) + "\n")
    blocks = "\n".join(f'<script type="application/ld+json">\n{json.dumps(linked(item), ensure_ascii=False).replace("</", "<" + chr(92) + "/")}\n</script>' for item in pages)
    (folder / "careers.html").write_text(f"<!doctype html>\n<title>Work with us</title>\n{blocks}\n<h1>Work with us</h1>\n")
    (folder / "truth.json").write_text(json.dumps(dict(sorted(truth.items())), indent=0, ensure_ascii=False) + "\n")
    return len(all_of_them)
